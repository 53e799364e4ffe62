import type { Readable } from 'node:stream';
import { toError } from '../../../core/errors.ts';
import { tooLarge } from './upload-errors.ts';

/**
 * The bytes of a piece for a store that keeps whatever comes: it ends where the body breaks off, is stopped
 * or has too much, and says afterwards what it ended with.
 */
export class PieceSource {
  readonly #body: Readable;
  #failure: Error | null = null;

  constructor(body: Readable) {
    this.#body = body;
  }

  /** Null when the body came to its end. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Takes no more. */
  stop(why: Error): void {
    this.#failure ??= why;
    this.#body.destroy(why);
  }

  /** @param leftBytes what may come at most */
  async *take(leftBytes: number): AsyncGenerator<Buffer> {
    let takenBytes = 0;
    try {
      for await (const chunk of this.#body) {
        const bytes = chunk as Buffer;
        takenBytes += bytes.length;
        if (takenBytes > leftBytes) {
          this.#failure ??= tooLarge('body', leftBytes);
          return;
        }
        yield bytes;
      }
    } catch (thrown) {
      this.#failure ??= toError(thrown);
    }
  }
}
