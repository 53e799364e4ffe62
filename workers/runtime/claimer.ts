import { toError } from '../../src/core/errors.ts';
import type { ClaimedJob, ClaimRequest, ClaimResult, WorkerQueue } from '../../src/core/queue.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { classifyError } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import { type ClaimGroup, ClaimGroups, roomOf } from '../served/claim-groups.ts';
import type { ServedDefinitions } from '../served/served-definitions.ts';
import type { Isolation } from './isolation.ts';
import { BRIEF_P95_MS, type Pace } from './pace.ts';
import type { Runs } from './runs.ts';
import type { Wakeup } from './wakeup.ts';

export interface ClaimerDeps {
  readonly queue: WorkerQueue;
  readonly runs: Runs;
  readonly isolation: Pick<Isolation, 'isClosed'>;
  /** False while no further run is to begin here, whatever slots are free. */
  readonly hasRoom: () => boolean;
  readonly pace: Pace;
  readonly wakeup: Wakeup;
  readonly workerId: string;
  /** What to claim for. */
  readonly served: ServedDefinitions;
  /** How long an idle worker waits for a notification before it looks by itself, as it is now. */
  readonly pollMs: () => number;
  readonly log: Logger;
  readonly metrics: WorkerMetrics | undefined;
  /** Takes over what was claimed; must take the slots before it returns. */
  readonly onClaimed: (jobs: readonly ClaimedJob[]) => void;
  /** A notification's job is taken, and as many workers as this should look whether there are more. */
  readonly onMore: (workers: number) => void;
}

/** Claimed ahead again when less than this part is left of what may lie here. */
const ASK_AT = 4;
/** What one claim may return. */
const MAX_CLAIM = 500;
/** A backend that was cut off may still commit its claim a little later: look a second time. */
const SECOND_LOOK_MS = 5_000;

/**
 * Runs that may wait for their end to be written; more, and the database does not keep up: nothing is claimed
 * meanwhile.
 */
const MAX_UNSETTLED = 750;
/**
 * Leases that a worker holds beyond its slots, at most: the last claim may come on top of what is not settled
 * yet.
 */
export const MAX_HELD_BEYOND_SLOTS = MAX_UNSETTLED + MAX_CLAIM;

/**
 * Claims as many jobs as there are free slots, as soon as there are both; of definitions that run briefly
 * also ahead of them, so that the slots never wait for a claim.
 */
export class Claimer {
  readonly #deps: ClaimerDeps;
  readonly #stopping = new AbortController();
  readonly #outages: OutageLog;
  readonly #groups: ClaimGroups;
  #hadSuspects = false;
  /** The last claim gave all that it was asked for. */
  #isFull = false;
  /** Times at which to look for claims whose answers were lost. */
  #looksDueMs: number[] = [];
  #running: Promise<void> = Promise.resolve();
  /** The claim under way: of the loop's and those of ticks, one at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
    this.#outages = createOutageLog(deps.log, 'claim');
    this.#groups = new ClaimGroups(deps.served);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Claims nothing more; resolves when no claim is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#deps.wakeup.signal();
    await this.#running;
    await this.#turn;
    // What a lost answer claimed would otherwise count as lost leases when this process is gone.
    await this.#handBackUnknown(this.#looksDueMs).catch((error) => this.#failed(toError(error)));
  }

  async #run(): Promise<void> {
    const { runs, wakeup, pollMs } = this.#deps;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      await runs.until(() => this.#mayClaim(), signal);
      if (signal.aborted) return;
      const signals = wakeup.signals;
      try {
        const found = await this.#inTurn(async () => {
          await this.#handBackUnknown();
          return this.#claim();
        });
        this.#outages.recovered();
        failures = 0;
        const wave = wakeup.takeWave();
        // It took what it could, and there may be more: twice as many are woken, until one finds less than it
        // could take.
        if (wave > 0 && this.#isFull) this.#deps.onMore(2 * wave);
        // Between nine and eleven tenths, so that idle workers do not poll in step.
        if (!found) await wakeup.wait(signals, pollMs() * (0.9 + Math.random() / 5));
      } catch (error) {
        failures++;
        this.#failed(toError(error));
        await wakeup.wait(signals, backoffMs(failures, 2_000));
      }
    }
  }

  /**
   * One claim outside the loop, for a tick: at most `limit` jobs, handed to `take` as the loop's go to
   * `onClaimed`.
   * @returns whether there were any
   */
  async claimNow(limit: () => number, take: (jobs: readonly ClaimedJob[]) => void): Promise<boolean> {
    try {
      return await this.#inTurn(async () => {
        await this.#handBackUnknown();
        return await this.#claimEach(async (group) => {
          const free = Math.min(limit(), MAX_CLAIM, this.#mostNow, this.#roomOf(group));
          if (free <= 0 || this.#stopping.signal.aborted) return [];
          const jobs = await this.#claimOf(group, { limit: free });
          if (jobs.length > 0) take(jobs);
          return jobs;
        });
      });
    } catch (error) {
      this.#failed(toError(error));
      throw error;
    }
  }

  /**
   * What one claim has got but not yet handed over would be unknown to the other, which would hand it back.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * What may be claimed at once: after a claim that brought a suspect, which runs alone, one job at a time.
   */
  get #mostNow(): number {
    if (this.#deps.isolation.isClosed) return 0;
    return this.#hadSuspects ? 1 : MAX_CLAIM;
  }

  #noteSuspects(jobs: readonly ClaimedJob[]): void {
    this.#hadSuspects = jobs.some(({ job }) => job.lostLeaseCount > 0);
  }

  #mayClaim(): boolean {
    const { runs, isolation, hasRoom } = this.#deps;
    if (isolation.isClosed || !hasRoom()) return false;
    if (runs.openCount >= runs.concurrency + MAX_UNSETTLED) return false;
    if (runs.freeSlots > 0) return this.#groups.all.some((group) => this.#roomOf(group) > 0);
    return !this.#hadSuspects && this.#aheadCount() > 0;
  }

  /**
   * None while a quarter of what may lie here is still there, which is work for 50 ms: a claim costs worker
   * and server a millisecond whatever it brings. And only for slots that turn over: behind runs that take
   * hours, what was claimed ahead would wait as long, while others could have it.
   */
  #aheadCount(): number {
    const { runs, pace } = this.#deps;
    if (runs.waitingCount * ASK_AT > pace.aheadCount(runs.concurrency)) return 0;
    const target = pace.aheadCount(runs.slotsTurning(BRIEF_P95_MS));
    return runs.waitingCount * ASK_AT > target ? 0 : target - runs.waitingCount;
  }

  #claim(): Promise<boolean> {
    const { runs, pace } = this.#deps;
    return this.#claimEach(async (group) => {
      const most = this.#mostNow;
      if (most === 0) return [];
      const limit = Math.min(Math.max(runs.freeSlots, 0), most, this.#roomOf(group));
      // What a limit of this process counts is never claimed ahead.
      const ahead = most === 1 || group.limit !== null ? 0 : Math.min(this.#aheadCount(), most - limit);
      if (limit + ahead <= 0) return [];
      const jobs = await this.#claimOf(group, {
        limit,
        ...(ahead > 0 ? { ahead: { count: ahead, definitionIds: pace.briefDefinitionIds() } } : {}),
      });
      if (jobs.length > 0) this.#deps.onClaimed(jobs);
      return jobs;
    });
  }

  /** @returns whether any group had jobs, or nothing may be claimed this moment */
  async #claimEach(claim: (group: ClaimGroup) => Promise<readonly ClaimedJob[]>): Promise<boolean> {
    if (this.#mostNow === 0) return true;
    let found = false;
    for (const group of this.#groups.inTurn()) {
      const jobs = await claim(group);
      if (jobs.length > 0) found = true;
    }
    return found;
  }

  async #claimOf(
    group: ClaimGroup,
    request: Pick<ClaimRequest, 'limit' | 'ahead'>,
  ): Promise<readonly ClaimedJob[]> {
    const { workerId } = this.#deps;
    const { definitionIds, cursor: after } = group;
    const { jobs, cursor } = await this.#measured({ workerId, definitionIds, ...request, after });
    group.cursor = cursor ?? after;
    this.#isFull = jobs.length >= request.limit + (request.ahead?.count ?? 0);
    this.#noteSuspects(jobs);
    return jobs;
  }

  #roomOf(group: ClaimGroup): number {
    return roomOf(group, () => this.#deps.runs.open());
  }

  async #measured(request: ClaimRequest): Promise<ClaimResult> {
    const { queue, metrics } = this.#deps;
    const startedMs = performance.now();
    const result = await queue.claim(request);
    metrics?.claimed(result.jobs.length, (performance.now() - startedMs) / 1_000);
    return result;
  }

  #failed(error: Error): void {
    if (classifyError(error) === 'fatal') this.#deps.log.error({ err: error }, 'claim: failed, trying again');
    else this.#outages.failed(error);
    const nowMs = performance.now();
    this.#looksDueMs = [nowMs, nowMs + SECOND_LOOK_MS];
  }

  /**
   * A claim that failed may have been committed all the same. Those jobs run under our name without our
   * knowledge; left alone they would count as lost leases.
   */
  async #handBackUnknown(
    due = this.#looksDueMs.filter((dueMs) => dueMs <= performance.now()),
  ): Promise<void> {
    if (due.length === 0) return;
    const { queue, runs, workerId, log } = this.#deps;
    const known = Array.from(runs.open(), (run) => run.claimed.lease);
    const count = await queue.handBackUnknown(workerId, known);
    this.#looksDueMs = this.#looksDueMs.filter((dueMs) => !due.includes(dueMs));
    if (count > 0) log.info({ jobs: count }, 'claim: handed back jobs whose claim had got no answer');
  }
}
