import { DomainError, toError } from '../core/errors.ts';
import type { ClaimedJob, Finish, LaneCursor, Lease, RunMeasure, WorkerQueue } from '../core/queue.ts';
import type { Logger } from '../telemetry/log.ts';

/** What to do with a job that has been claimed: hand it out with this payload, or end it without. */
export type Admission =
  | { readonly kind: 'run'; readonly payload: unknown }
  /** `counts`: as a run, with an attempt row; otherwise as if never begun. */
  | { readonly kind: 'end'; readonly finish: Finish; readonly counts: boolean };

export interface HeldLeasesOptions {
  readonly queue: WorkerQueue;
  readonly definitionIds: readonly string[];
  readonly admit: (claimed: ClaimedJob) => Admission;
  /** The reason given by the caller that asked to cancel. */
  readonly cancelReasonOf: (lease: Lease) => Promise<string | null>;
  readonly log: Logger;
}

export interface HandedOut {
  readonly claimed: ClaimedJob;
  readonly payload: unknown;
}

interface Held {
  readonly claimed: ClaimedJob;
  readonly claimedAtMs: number;
  settling: boolean;
}

const RENEWALS_PER_LEASE = 3;
const RETRY_MS = 1_000;

/**
 * The jobs that this process has claimed by hand, by id, with the leases that they are settled by. The leases
 * are renewed in the background until a job is settled; one that is lost is forgotten, so that its job is
 * nobody's here any more.
 */
export class HeldLeases {
  readonly #options: HeldLeasesOptions;
  readonly #held = new Map<string, Held>();
  #cursor: LaneCursor | null = null;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #closed = false;

  constructor(options: HeldLeasesOptions) {
    this.#options = options;
  }

  /** Jobs that are held now. */
  get size(): number {
    return this.#held.size;
  }

  /** The claim of a job that is held; null of any other. */
  claimed(jobId: string): ClaimedJob | null {
    return this.#held.get(jobId)?.claimed ?? null;
  }

  /**
   * Claims the next job, if any. Those that must not run (poison, canceled, a bad payload) are ended on the
   * way.
   */
  async claim(workerId: string): Promise<HandedOut | null> {
    const { queue, definitionIds, admit } = this.#options;
    while (!this.#closed) {
      const { jobs, cursor } = await queue.claim({ workerId, definitionIds, limit: 1, after: this.#cursor });
      this.#cursor = cursor ?? this.#cursor;
      const claimed = jobs[0];
      if (claimed === undefined) return null;
      const held: Held = { claimed, claimedAtMs: performance.now(), settling: false };
      const admission = admit(claimed);
      if (admission.kind === 'end') {
        await queue.finish(claimed, admission.finish, admission.counts ? measureOf(held) : NOT_RUN);
        continue;
      }
      this.#held.set(claimed.lease.jobId, held);
      if (this.#closed) await this.#handBack();
      this.#planRenewal();
      return { claimed, payload: admission.payload };
    }
    return null;
  }

  /**
   * Settles a job that is held. When somebody has asked to cancel it, one that would go back to the queue
   * ends as canceled.
   * @param endingOf how it ends, given the job as it was claimed
   * @throws DomainError `NotOwner` for a job that this process has not claimed, has settled already or has
   *   lost
   */
  async settle(jobId: string, endingOf: (claimed: ClaimedJob) => Finish): Promise<void> {
    const held = this.#held.get(jobId);
    if (held === undefined || held.settling) throw notOwner(jobId);
    const { queue, cancelReasonOf } = this.#options;
    const { claimed } = held;
    held.settling = true;
    try {
      let result = await queue.finish(claimed, endingOf(claimed), measureOf(held));
      if (result === 'cancelRequested') {
        const reason = (await cancelReasonOf(claimed.lease)) ?? 'canceled';
        const canceled = { kind: 'final', settlement: { status: 'canceled', reason } } as const;
        result = await queue.finish(claimed, canceled, measureOf(held));
      }
      this.#forget(held);
      if (result === 'notOwner') throw notOwner(jobId);
    } finally {
      // An outage leaves it held: the caller may try again.
      held.settling = false;
    }
  }

  /** Claims nothing more; what is still held goes back to the queue, nothing spent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    await this.#handBack();
  }

  async #handBack(): Promise<void> {
    const { queue, log } = this.#options;
    await Promise.all(
      [...this.#held.values()].map(async (held) => {
        this.#forget(held);
        await queue.finish(held.claimed, { kind: 'handBack' }, NOT_RUN).catch((error: unknown) => {
          log.warn(
            { job_id: held.claimed.lease.jobId, reason: toError(error).message },
            'jobs: could not hand back a job; its lease runs out',
          );
        });
      }),
    );
  }

  /** By identity: the same job may have been claimed again since. */
  #forget(held: Held): void {
    const { jobId } = held.claimed.lease;
    if (this.#held.get(jobId) === held) this.#held.delete(jobId);
  }

  #planRenewal(afterMs?: number): void {
    if (this.#closed || this.#held.size === 0) return;
    const shortest = Math.min(...[...this.#held.values()].map(({ claimed }) => claimed.leaseSeconds));
    const delayMs = afterMs ?? (shortest * 1000) / RENEWALS_PER_LEASE;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renew();
    }, delayMs);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const { queue, log } = this.#options;
    const all = [...this.#held.values()];
    let again: number | undefined;
    try {
      const { lost, busy } = await queue.heartbeat(
        all.map(({ claimed }) => claimed.lease),
        all.map(({ claimed }) => claimed.leaseSeconds),
      );
      for (const held of all) {
        if (!lost.includes(held.claimed.lease.jobId) || held.settling) continue;
        this.#forget(held);
        log.warn({ job_id: held.claimed.lease.jobId }, 'jobs: a lease is lost; somebody else has the job');
      }
      if (busy.length > 0) again = RETRY_MS;
    } catch (error) {
      log.debug({ reason: toError(error).message }, 'jobs: leases not renewed, trying again');
      again = RETRY_MS;
    }
    this.#planRenewal(again);
  }
}

const NOT_RUN: RunMeasure = { startedAtMs: null, wallMs: 0, cpuMs: null };

function measureOf({ claimed, claimedAtMs }: Held): RunMeasure {
  const startedAtMs = (claimed.job.claimedAt ?? new Date()).getTime();
  return { startedAtMs, wallMs: performance.now() - claimedAtMs, cpuMs: null };
}

function notOwner(jobId: string): DomainError {
  return new DomainError('NotOwner', `Job ${JSON.stringify(jobId)} is not claimed by this process.`, {
    field: 'id',
    allowed: 'a job that this process has claimed and not yet settled',
    jobId,
  });
}
