import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toError } from '../../../src/core/errors.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';
import { segmentName } from '../../../src/storage/video-keys.ts';

export interface SegmentUploaderOptions {
  readonly storage: ObjectStore;
  /** Where ffmpeg writes. */
  readonly directory: string;
  /** Where the segments go, ending in a slash. */
  readonly keyPrefix: string;
  readonly generation: number;
  readonly signal: AbortSignal;
  /** Called once, when the first segment is complete on disk. */
  readonly onFirst: (path: string) => void;
  /** An upload failed: the encoder need not go on. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Uploads the segments of a running encoder as they become complete, one after the other, so that at its end
 * only the last is left. Uploaded ones are removed from the disk; the first stays, the poster is made from
 * it.
 */
export class SegmentUploader {
  readonly #options: SegmentUploaderOptions;
  readonly #uploaded: StoredObject[] = [];
  #next = 0;
  #running: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(options: SegmentUploaderOptions) {
    this.#options = options;
  }

  /** What is in the store so far. */
  get uploaded(): readonly StoredObject[] {
    return this.#uploaded;
  }

  /** Looks for newly completed segments. Cheap, and never throws; to be called while the encoder runs. */
  poke(): void {
    if (this.#running !== null || this.#failure !== null) return;
    this.#running = this.#uploadComplete()
      .catch((thrown: unknown) => {
        this.#failure = toError(thrown);
        this.#options.onFailure(this.#failure);
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /**
   * After the encoder's end: uploads the rest.
   * @param count segments in all
   * @param onUploaded called with how many are done
   */
  async finish(count: number, onUploaded: (done: number) => void): Promise<readonly StoredObject[]> {
    await this.settle();
    if (this.#failure !== null) throw this.#failure;
    while (this.#next < count) {
      await this.#uploadNext();
      onUploaded(this.#next);
    }
    return this.#uploaded;
  }

  /** Waits for an upload that is under way. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** A segment is complete when the encoder has begun the one after it, in every version of ffmpeg. */
  async #uploadComplete(): Promise<void> {
    while (await exists(this.#path(this.#next + 1))) await this.#uploadNext();
  }

  async #uploadNext(): Promise<void> {
    const { storage, keyPrefix, generation, signal, onFirst } = this.#options;
    const index = this.#next;
    const path = this.#path(index);
    if (index === 0) onFirst(path);
    this.#uploaded.push(
      await storage.put(`${keyPrefix}${segmentName(generation, index)}`, { path }, { signal }),
    );
    this.#next = index + 1;
    if (index > 0) await rm(path, { force: true });
  }

  #path(index: number): string {
    return join(this.#options.directory, segmentName(this.#options.generation, index));
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
