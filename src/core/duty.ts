/** What a turn of a duty did, by name: `{ deleted: 500 }`. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Something that the leader does again and again. It must bear being done by two processes at once, and stop
 * half-way.
 */
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

/**
 * A duty works a fifth of the time at most, unless it says otherwise: the queue's own statements go first.
 */
const REST_PER_WORK = 4;

export interface BatchOptions {
  /** How long it rests after a piece, in times of what that took; 4 by default. */
  readonly restPerWork?: number;
  /** After so long it begins no further piece, so that others have their turn; without a bound by default. */
  readonly budgetMs?: number;
}

/**
 * Repeats a bounded piece of work until it has no more to do, its budget is spent or the turn ends, and rests
 * after each piece.
 * @param work resolves with how much it did and whether there is more
 * @returns how much was done in all
 */
export async function inBatches(
  turn: Turn,
  work: () => Promise<{ readonly done: number; readonly more: boolean }>,
  { restPerWork = REST_PER_WORK, budgetMs = Number.POSITIVE_INFINITY }: BatchOptions = {},
): Promise<number> {
  const untilMs = performance.now() + budgetMs;
  let total = 0;
  while (turn.goOn() && performance.now() < untilMs) {
    const startMs = performance.now();
    const { done, more } = await work();
    total += done;
    if (!more) break;
    await turn.pause(restPerWork * (performance.now() - startMs));
  }
  return total;
}
