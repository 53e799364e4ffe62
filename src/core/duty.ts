/** What a turn of a duty did, by name: `{ deleted: 500 }`. */
export type Counts = Readonly<Record<string, number>>;

/** Something that the leader does again and again. It must bear being done by two processes at once, and stop half-way. */
export interface Duty {
  readonly name: string;
  /** From the end of one turn to the beginning of the next. */
  readonly everyMs: number;
  /** It has a loop of its own, so that no other duty holds it up, however long. */
  readonly ownLoop?: boolean;
  /** Its turn comes at once when this channel is notified. */
  readonly wakesOn?: string;
  /** @returns what was done; logged when anything was */
  run(turn: Turn): Promise<Counts>;
}

/** What a duty knows about its turn. */
export interface Turn {
  /** False once this process leads no longer or is stopping: begin no further statement. */
  goOn(): boolean;
  /** How long the database and this process's way to it have been there without a break. */
  readonly upSeconds: number;
  /** Waits, or less when the process stops meanwhile. */
  pause(ms: number): Promise<void>;
}

/** A duty works a fifth of the time at most: the queue's own statements go first. */
const REST_PER_WORK = 4;

/**
 * Repeats a bounded piece of work until it has no more to do or the turn ends, and rests after each piece four times as
 * long as it took.
 * @param work resolves with how much it did and whether there is more
 * @returns how much was done in all
 */
export async function inBatches(
  turn: Turn,
  work: () => Promise<{ readonly done: number; readonly more: boolean }>,
): Promise<number> {
  let total = 0;
  while (turn.goOn()) {
    const startMs = performance.now();
    const { done, more } = await work();
    total += done;
    if (!more) break;
    await turn.pause(REST_PER_WORK * (performance.now() - startMs));
  }
  return total;
}
