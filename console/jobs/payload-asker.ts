import type { Change } from './live-changes.ts';

const EVERY_MS = 1_000;
const MAX_KNOWN = 2_000;

/**
 * Whether jobs of a stream match what is asked of their payloads, which no stream carries: the server is
 * asked, of many jobs together, once a second at most and once a job, since a payload stays as it is.
 */
export class PayloadAsker {
  readonly #read: (ids: readonly string[]) => AsyncIterable<Change>;
  readonly #apply: (change: Change) => void;
  readonly #matching = new Set<string>();
  readonly #asked = new Set<string>();
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: (ids: readonly string[]) => AsyncIterable<Change>, apply: (change: Change) => void) {
    this.#read = read;
    this.#apply = apply;
  }

  /** True for a job that is known to match. One that is not known yet is applied by itself, if it does. */
  isMatching(id: string): boolean {
    if (this.#matching.has(id)) return true;
    if (this.#asked.has(id)) return false;
    if (this.#asked.size >= MAX_KNOWN) this.#asked.clear();
    this.#asked.add(id);
    this.#waiting.push(id);
    this.#timer ??= setTimeout(() => void this.#ask(), EVERY_MS);
    return false;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const ids = this.#waiting;
    this.#waiting = [];
    try {
      for await (const change of this.#read(ids))
        if ('job' in change) {
          if (this.#matching.size >= MAX_KNOWN) this.#matching.clear();
          this.#matching.add(change.job.id);
          this.#apply(change);
        }
    } catch {
      // Their next change asks again.
      for (const id of ids) this.#asked.delete(id);
    }
  }
}
