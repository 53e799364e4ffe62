import type { JobChange, JobRemoval } from './change.ts';
import type { Position } from './position.ts';

type JobTrace = JobChange | JobRemoval;

/** One thing taken, with what is known about how far it brings the taker. */
export interface Taken {
  readonly change: JobTrace;
  /** The position that is reached with it, if one is. */
  readonly reached: Position | null;
  /** It is part of catching up to this position, in the order of ids. */
  readonly upTo: Position | null;
}

interface Entry {
  readonly seq: number;
  readonly change: JobTrace;
  readonly upTo: Position | null;
}

/**
 * Changes that a subscriber has not taken yet, at most one a job: a newer one takes the older one's place in line. Between
 * them lie marks: once everything before a mark is taken, all of its position has been delivered.
 */
export class Pending {
  readonly #changes = new Map<string, Entry>();
  readonly #marks: { seq: number; position: Position }[] = [];
  #lastSeq = 0;

  get size(): number {
    return this.#changes.size;
  }

  has(jobId: string): boolean {
    return this.#changes.has(jobId);
  }

  /** True when each job that is pending there is pending here. */
  includes(other: Pending): boolean {
    if (other.size > this.size) return false;
    for (const jobId of other.#changes.keys()) if (!this.#changes.has(jobId)) return false;
    return true;
  }

  /** @param upTo given for what is read to catch up, which must come in the order of ids */
  put(change: JobTrace, upTo: Position | null = null): void {
    const place = this.#changes.get(change.jobId) ?? { seq: ++this.#lastSeq, upTo };
    this.#changes.set(change.jobId, { ...place, change });
  }

  /** All that is pending now, taken, makes up for `position`. */
  mark(position: Position): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && last.seq === this.#lastSeq) last.position = position;
    else this.#marks.push({ seq: this.#lastSeq, position });
  }

  /** The next change, or undefined when nothing is pending. */
  take(): Taken | undefined {
    const first = this.#changes.values().next().value;
    if (first === undefined) return undefined;
    this.#changes.delete(first.change.jobId);
    const nextSeq = this.#changes.values().next().value?.seq ?? Number.POSITIVE_INFINITY;
    let reached: Position | null = null;
    while (this.#marks[0] !== undefined && this.#marks[0].seq < nextSeq) {
      reached = this.#marks.shift()?.position ?? null;
    }
    return { change: first.change, reached, upTo: first.upTo };
  }

  /** What is pending, oldest first. */
  changes(): JobTrace[] {
    return [...this.#changes.values()].map(({ change }) => change);
  }

  clear(): void {
    this.#changes.clear();
    this.#marks.length = 0;
  }
}
