import type { JobRow } from '../api/operations.gen.ts';
import { nextMoment } from './live-changes.ts';

const EVERY_MS = 1_000;
const MAX_KNOWN = 2_000;

/**
 * Whether jobs of a stream match what is asked of their payloads, which no stream carries: the server is
 * asked, of many jobs together, once a second at most and once a job, since a payload stays as it is.
 */
export class PayloadAsker {
  readonly #read: (ids: readonly string[]) => Promise<readonly JobRow[]>;
  readonly #found: (job: JobRow, asOf: number) => void;
  readonly #matching = new Set<string>();
  readonly #asked = new Set<string>();
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param found is called with those that match */
  constructor(
    read: (ids: readonly string[]) => Promise<readonly JobRow[]>,
    found: (job: JobRow, asOf: number) => void,
  ) {
    this.#read = read;
    this.#found = found;
  }

  /** True for a job that is known to match. One that is not known yet is reported later, if it does. */
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
    this.#timer = undefined;
    this.#forget(this.#waiting);
    this.#waiting = [];
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const ids = this.#waiting;
    this.#waiting = [];
    try {
      const asOf = nextMoment();
      for (const job of await this.#read(ids)) {
        if (this.#matching.size >= MAX_KNOWN) this.#matching.clear();
        this.#matching.add(job.id);
        this.#found(job, asOf);
      }
    } catch {
      // Their next change asks again.
      this.#forget(ids);
    }
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#asked.delete(id);
  }
}
