import { AsyncLocalStorage } from 'node:async_hooks';
import { toError } from '../../core/errors.ts';
import type { ClaimedJob } from '../../core/queue.ts';
import type { Logger } from '../../telemetry/log.ts';

/** Those who ask for the same jobs: a look for one of them that finds nothing has answered for all. */
export interface ClaimGroup {
  readonly key: string;
  claim(workerId: string, limit: number): Promise<readonly ClaimedJob[]>;
  /** Puts jobs back whose worker has left. */
  handBack(jobs: readonly ClaimedJob[]): Promise<void>;
}

interface Waiter {
  readonly workerId: string;
  readonly limit: number;
  readonly answer: (jobs: readonly ClaimedJob[]) => void;
  /** Runs what is done for it as its own request's, no matter whose notification it comes from. */
  readonly asItsOwn: <T>(work: () => T) => T;
}

interface Waiting {
  readonly group: ClaimGroup;
  readonly waiters: Set<Waiter>;
}

/** Work that becomes due by the passing of time is not notified of. */
const LOOK_EVERY_MS = 500;
/** Looks a second at most that come from the clock alone, whatever number of groups waits. */
const LOOKS_A_SECOND = 200;
const PARALLEL_LOOKS = 2;

/**
 * Claims that wait for work. A waiting claim is an entry here: no connection, no timer of its own. A
 * notification of new work costs one look for each group, and one more for each waiter that gets jobs.
 */
export class ClaimWaiters {
  readonly #log: Logger;
  readonly #groups = new Map<string, Waiting>();
  #signals = 0;
  #pending = new Set<string>();
  #looking = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  get waitingCount(): number {
    let count = 0;
    for (const { waiters } of this.#groups.values()) count += waiters.size;
    return count;
  }

  /** There may be work. */
  signal(): void {
    this.#signals++;
    for (const key of this.#groups.keys()) this.#pending.add(key);
    this.#look();
  }

  /**
   * Claims now or, when there is nothing, as soon as there is.
   * @param waitMs how long to wait
   * @param signal ends the wait early, with nothing
   * @returns no jobs when the time is over
   */
  async claim(
    group: ClaimGroup,
    workerId: string,
    limit: number,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<readonly ClaimedJob[]> {
    const seen = this.#signals;
    const jobs = await group.claim(workerId, limit);
    if (jobs.length > 0 || waitMs <= 0 || signal?.aborted === true || this.#isClosed) return jobs;
    const { promise, resolve } = Promise.withResolvers<readonly ClaimedJob[]>();
    const waiter: Waiter = { workerId, limit, answer: resolve, asItsOwn: AsyncLocalStorage.snapshot() };
    const waiting = this.#groups.get(group.key) ?? { group, waiters: new Set<Waiter>() };
    this.#groups.set(group.key, waiting);
    waiting.waiters.add(waiter);
    const end = (): void => this.#leave(waiting, waiter);
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end, { once: true });
    this.#arm();
    if (this.#signals !== seen) {
      this.#pending.add(group.key);
      this.#look();
    }
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Answers all that wait, with nothing. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const waiting of this.#groups.values())
      for (const waiter of waiting.waiters) this.#leave(waiting, waiter);
  }

  /** Its look may be under way: what that finds goes back. */
  #leave(waiting: Waiting, waiter: Waiter): void {
    if (!waiting.waiters.delete(waiter)) return;
    if (waiting.waiters.size === 0) this.#groups.delete(waiting.group.key);
    waiter.answer([]);
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const everyMs = Math.max(LOOK_EVERY_MS, (this.#groups.size * 1_000) / LOOKS_A_SECOND);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#groups.size === 0) return;
      this.signal();
      this.#arm();
    }, everyMs);
  }

  #look(): void {
    while (this.#looking < PARALLEL_LOOKS && this.#pending.size > 0) {
      const [key] = this.#pending as unknown as Iterable<string>;
      this.#pending.delete(key as string);
      const waiting = this.#groups.get(key as string);
      if (waiting === undefined) continue;
      this.#looking++;
      void this.#serve(waiting).finally(() => {
        this.#looking--;
        this.#look();
      });
    }
  }

  /**
   * Claims for the waiters of a group in the order of their coming, until there is nothing left for the next.
   */
  async #serve(waiting: Waiting): Promise<void> {
    for (const waiter of waiting.waiters) {
      try {
        const { workerId, limit } = waiter;
        const jobs = await waiter.asItsOwn(() => waiting.group.claim(workerId, limit));
        if (jobs.length === 0) return;
        if (!waiting.waiters.delete(waiter)) {
          await waiting.group.handBack(jobs);
          continue;
        }
        if (waiting.waiters.size === 0) this.#groups.delete(waiting.group.key);
        waiter.answer(jobs);
      } catch (thrown) {
        const error = toError(thrown);
        this.#log.warn(
          { reason: error.message },
          'remote workers: a claim failed; the next look tries again',
        );
        return;
      }
    }
  }
}
