import type { Trace } from './list-kind.ts';
import type { Position } from './position.ts';

/** One thing taken, with what is known about how far it brings the taker. */
export interface Taken<T extends Trace> {
  readonly change: T;
  /** The position that is reached with it, if one is. */
  readonly reached: Position | null;
  /** It is part of catching up to this position, in the order of ids. */
  readonly upTo: Position | null;
}

interface Entry<T extends Trace> {
  readonly seq: number;
  readonly change: T;
  readonly upTo: Position | null;
}

/**
 * Changes that a subscriber has not taken yet, at most one a thing: a newer one takes the older one's place
 * in line. Between them lie marks: once everything before a mark is taken, all of its position has been
 * delivered.
 */
export class Pending<T extends Trace> {
  readonly #idOf: (trace: T) => string;
  readonly #changes = new Map<string, Entry<T>>();
  readonly #marks: { seq: number; position: Position }[] = [];
  #lastSeq = 0;

  constructor(idOf: (trace: T) => string) {
    this.#idOf = idOf;
  }

  get size(): number {
    return this.#changes.size;
  }

  has(trace: T): boolean {
    return this.#changes.has(this.#idOf(trace));
  }

  /** True when each thing that is pending there is pending here. */
  includes(other: Pending<T>): boolean {
    if (other.size > this.size) return false;
    for (const id of other.#changes.keys()) if (!this.#changes.has(id)) return false;
    return true;
  }

  /** @param upTo given for what is read to catch up, which must come in the order of ids */
  put(change: T, upTo: Position | null = null): void {
    const id = this.#idOf(change);
    const place = this.#changes.get(id) ?? { seq: ++this.#lastSeq, upTo };
    this.#changes.set(id, { ...place, change });
  }

  /** All that is pending now, taken, makes up for `position`. */
  mark(position: Position): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && last.seq === this.#lastSeq) last.position = position;
    else this.#marks.push({ seq: this.#lastSeq, position });
  }

  /** The next change, or undefined when nothing is pending. */
  take(): Taken<T> | undefined {
    const first = this.#changes.values().next().value;
    if (first === undefined) return undefined;
    this.#changes.delete(this.#idOf(first.change));
    const nextSeq = this.#changes.values().next().value?.seq ?? Number.POSITIVE_INFINITY;
    let reached: Position | null = null;
    while (this.#marks[0] !== undefined && this.#marks[0].seq < nextSeq) {
      reached = this.#marks.shift()?.position ?? null;
    }
    return { change: first.change, reached, upTo: first.upTo };
  }

  /** What is pending, oldest first. */
  changes(): T[] {
    return [...this.#changes.values()].map(({ change }) => change);
  }

  clear(): void {
    this.#changes.clear();
    this.#marks.length = 0;
  }
}
