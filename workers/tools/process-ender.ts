import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../../src/core/errors.ts';
import { signalGroup } from './process-group.ts';
import { signalMarked } from './process-mark.ts';
import type { ProcessEnd, ProcessSpec } from './process-spec.ts';

type EndCause = Extract<ProcessEnd, { how: 'aborted' | 'timedOut' | 'stalled' }>;
type EndSpec = Pick<
  ProcessSpec,
  'signal' | 'timeoutMs' | 'stallTimeoutMs' | 'onStdoutLine' | 'onStderrLine' | 'pipes' | 'endsTree'
>;

/** After a stall is noticed, how long unread output gets to prove otherwise. */
const STALL_SECOND_LOOK_MS = 1000;
const TREE_LOOK_MS = 25;

/**
 * Ends one running process group when it is aborted, overdue or stuck: SIGTERM, then SIGKILL after the grace.
 * The first cause counts.
 */
export class ProcessEnder {
  readonly #groupId: number;
  readonly #spec: EndSpec;
  readonly #killGraceMs: number;
  readonly #mark: string;
  #killAtMs = 0;
  readonly #judgedByReaders: boolean;
  readonly #onAbort = () => this.#end({ how: 'aborted' });
  #cause: EndCause | null = null;
  #callbackError: Error | null = null;
  #ending = false;
  #gone = false;
  readonly #decided = Promise.withResolvers<void>();
  #timeout: NodeJS.Timeout | undefined;
  #stall: NodeJS.Timeout | undefined;
  #kill: NodeJS.Timeout | undefined;

  /** @param mark of the program and all that it starts, for `endsTree` */
  constructor(groupId: number, spec: EndSpec, killGraceMs: number, mark = '') {
    this.#mark = mark;
    this.#groupId = groupId;
    this.#spec = spec;
    this.#killGraceMs = killGraceMs;
    this.#judgedByReaders =
      spec.onStdoutLine !== undefined || spec.onStderrLine !== undefined || spec.pipes !== undefined;
    spec.signal?.addEventListener('abort', this.#onAbort, { once: true });
    const { timeoutMs } = spec;
    if (timeoutMs !== undefined)
      this.#timeout = setTimeout(() => this.#end({ how: 'timedOut', timeoutMs }), timeoutMs);
    this.progressed();
  }

  /** Why we ended it; null when it ended by itself. */
  get cause(): EndCause | null {
    return this.#cause;
  }

  /** Work moved: the stall watchdog starts again. */
  progressed(): void {
    const { stallTimeoutMs } = this.#spec;
    if (stallTimeoutMs === undefined || this.#ending) return;
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#lookAgain(stallTimeoutMs), stallTimeoutMs);
  }

  /**
   * Output came. Counts as progress only where no line callback or reader of pipes judges it: a stuck program
   * may go on reporting.
   */
  outputSeen(): void {
    if (!this.#judgedByReaders) this.progressed();
  }

  /**
   * The group is gone, though its output may still be read: its id may be a stranger's by the time we decide
   * to end it.
   */
  processGone(): void {
    this.#gone = true;
  }

  /** We have decided to end it, for whatever cause. */
  get hasDecided(): boolean {
    return this.#ending;
  }

  /** Settles when we have decided to end it, whether or not it is still there. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  /** Resolves when nothing that it has started is left, or the grace is over. */
  async treeGone(mark: string): Promise<void> {
    while (performance.now() < this.#killAtMs && signalMarked(mark, 0) > 0) await sleep(TREE_LOOK_MS);
  }

  /** A reader of its output failed: ends the process; the error is what `stop` returns. */
  fail(thrown: unknown): void {
    if (this.#ending) return;
    this.#callbackError ??= toError(thrown);
    this.#end(null);
  }

  /** Runs a callback for a line; its error ends the process and is what `stop` returns. */
  guardCallback(callback: () => void): void {
    if (this.#callbackError !== null) return;
    try {
      callback();
    } catch (thrown) {
      this.#callbackError = toError(thrown);
      this.#end(null);
    }
  }

  /** To be called when the process is gone. Returns the error of a line callback, if one threw. */
  stop(): Error | null {
    this.#ending = true;
    this.#spec.signal?.removeEventListener('abort', this.#onAbort);
    for (const timer of [this.#timeout, this.#stall, this.#kill]) clearTimeout(timer);
    return this.#callbackError;
  }

  /**
   * A worker that was itself stopped for a minute (SIGSTOP, a sleeping laptop) finds its timer overdue while
   * the output of that minute still waits in the pipe. So it is read first.
   */
  #lookAgain(stallTimeoutMs: number): void {
    clearTimeout(this.#stall);
    const waitMs = Math.min(STALL_SECOND_LOOK_MS, stallTimeoutMs);
    this.#stall = setTimeout(() => this.#end({ how: 'stalled', stallTimeoutMs }), waitMs);
  }

  #end(cause: EndCause | null): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#cause = cause;
    this.#decided.resolve();
    clearTimeout(this.#stall);
    if (this.#gone) return;
    signalGroup(this.#groupId, 'SIGTERM');
    if (this.#spec.endsTree === true) signalMarked(this.#mark, 'SIGTERM');
    // A stopped process gets SIGTERM only once it is continued.
    signalGroup(this.#groupId, 'SIGCONT');
    this.#killAtMs = performance.now() + this.#killGraceMs;
    this.#kill = setTimeout(() => signalGroup(this.#groupId, 'SIGKILL'), this.#killGraceMs);
  }
}
