import type { SyncedDefinition } from '../core/definition-records.ts';
import { DomainError, PermanentError, toError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { notifyListener } from '../core/notify-listener.ts';
import type { Settlement } from '../core/outcome.ts';
import {
  type ClaimedJob,
  type ClaimRequest,
  type ClaimResult,
  DEFAULT_MAX_RESULT_BYTES,
  type Finish,
  type FinishListener,
  type FinishResult,
  type Lease,
  type RunMeasure,
  type WorkerQueue,
} from '../core/queue.ts';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { asWorkerRecorded, recordOutcome, recordsOutcome } from '../db/outcome-record.ts';
import { findLeaseStates, type LeaseStateRow } from '../db/sql/queue/find-lease-states.ts';
import { type SettledRow, settleRuns } from '../db/sql/queue/settle-runs.ts';
import { startJob } from '../db/sql/queue/start-job.ts';
import { putOffStart } from '../db/sql/worker/put-off-start.ts';
import { type ArtifactColumns, artifactColumns, recordArtifacts } from './artifact-columns.ts';
import { JobClaims } from './claim.ts';
import { enqueueFailureJob, enqueueNextJobs } from './next-jobs.ts';
import { PendingCancelFinisher } from './pending-cancel-finisher.ts';
import type { JobEffects, Pipelines } from './pipelines.ts';
import { leaseColumns } from './renew.ts';
import { PostgresRunRecords } from './run-records.ts';
import { SettleBatch } from './settle-batch.ts';
import { type SettleItem, settleItem, settleParameters } from './settle-items.ts';

export interface WorkerQueueOptions {
  /** What the end of jobs leads to. */
  readonly pipelines: Pipelines;
  /**
   * Keys of the definitions whose jobs follow a final failure, by the keys of those that fail; see
   * `failureJobsOf`.
   */
  readonly failureJobs?: ReadonlyMap<string, string>;
  /** The largest result that is stored; 1 MiB by default. */
  readonly maxResultBytes?: number;
  /** The largest payload, as JSON text in UTF-8; 1 MiB by default. */
  readonly maxPayloadBytes?: number;
}

/** The worker's side of the queue on Postgres. */
export class PostgresWorkerQueue extends PostgresRunRecords implements WorkerQueue {
  readonly #db: Database;
  readonly #notifier: Notifier;
  readonly #claims: JobClaims;
  readonly #batch: SettleBatch;
  readonly #ender: PendingCancelFinisher;

  readonly #maxResultBytes: number;
  readonly #pipelines: Pipelines;
  readonly #failureJobs: ReadonlyMap<string, string>;

  /**
   * @param definitions the definitions this process can run, by id
   */
  constructor(
    db: Database,
    notifier: Notifier,
    definitions: ReadonlyMap<string, SyncedDefinition>,
    { pipelines, failureJobs = new Map(), maxResultBytes = DEFAULT_MAX_RESULT_BYTES }: WorkerQueueOptions,
  ) {
    super(db);
    this.#pipelines = pipelines;
    this.#failureJobs = failureJobs;
    this.#maxResultBytes = maxResultBytes;
    this.#ender = new PendingCancelFinisher(db, notifier, pipelines);
    this.#db = db;
    this.#notifier = notifier;
    this.#claims = new JobClaims(db, definitions);
    this.#batch = new SettleBatch(db, {
      onMoved: (moved, released) => this.#moved(moved, released),
      whyNotMoved: ({ lease }) => this.#whyNotMoved(lease),
    });
  }

  /**
   * Opens the connections that claims and settlements keep, and has the server read and plan their
   * statements: 50 ms of the first claim, 15 of the first settlement.
   */
  async warmUp(): Promise<void> {
    await Promise.all([this.#claims.warmUp(), this.#batch.warmUp()]);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const result = await this.#claims.claim(request);
    if (result.jobs.length > 0) this.#notifier.notify(WATCH_CHANNEL);
    return result;
  }

  async start(lease: Lease): Promise<boolean> {
    const values = [lease.jobId, lease.runNo, lease.token];
    const { rowCount } = await asWorkerRecorded(this.#db, startJob, values, (done) =>
      done.rowCount === 1 ? null : undefined,
    );
    return rowCount === 1;
  }

  async putOffStart(lease: Lease): Promise<void> {
    await this.#db.asWorker(putOffStart, [lease.jobId, lease.runNo, lease.token]);
  }

  finish(claimed: ClaimedJob, finish: Finish, measure: RunMeasure): Promise<FinishResult> {
    return new Promise((finished, failed) =>
      this.finishWithCallback(claimed, finish, measure, { finished, failed }),
    );
  }

  finishWithCallback(
    claimed: ClaimedJob,
    finish: Finish,
    measure: RunMeasure,
    listener: FinishListener,
  ): void {
    try {
      const item = settleItem(claimed.lease, finish, measure, this.#maxResultBytes);
      const settlement = finish.kind === 'final' ? finish.settlement : null;
      const artifacts = artifactColumns(artifactsOf(settlement));
      const effects = settlement && this.#effectsOf(claimed, settlement);
      if (effects === null && artifacts === null && !recordsOutcome()) this.#batch.settle(item, listener);
      else notifyListener(this.#settleWith(item, claimed.job, artifacts, effects), listener);
    } catch (error) {
      // Nothing was sent: it is what the handler returned that cannot be written, and no outage.
      listener.failed(unwritable(error));
    }
  }

  async holds(lease: Lease): Promise<boolean> {
    return (await this.#leaseState(lease)) !== undefined;
  }

  /**
   * Settles one run with its domain rows, artifacts and next jobs: all of it or, for a lost lease, nothing.
   */
  async #settleWith(
    item: SettleItem,
    job: Job,
    artifacts: ArtifactColumns | null,
    effects: JobEffects | null,
  ): Promise<FinishResult> {
    const { isMoved, released } = await this.#db.transaction(
      { role: 'worker', tenantId: job.tenantId },
      async (tx) => {
        const { rows } = await tx.query<SettledRow>(settleRuns, settleParameters([item]));
        const { kept, released } = rows[0] as SettledRow;
        if (kept !== null) return { isMoved: false, released };
        if (artifacts !== null) await recordArtifacts(tx, job, artifacts);
        await effects?.apply(tx);
        await recordOutcome(tx, item.ending.status);
        return { isMoved: true, released };
      },
    );
    if (!isMoved) return this.#whyNotMoved(item.lease);
    this.#moved([item], released, effects?.hasNext);
    return 'settled';
  }

  /** What the pipelines make of a final end, and what its handler or its definition asks to follow. */
  #effectsOf({ job, definitionKey }: ClaimedJob, settlement: Settlement): JobEffects | null {
    const ofPipeline = this.#pipelines.onFinal(job, definitionKey, settlement);
    const next = settlement.status === 'succeeded' ? (settlement.next ?? []) : [];
    const hasFailed = settlement.status === 'failed' || settlement.status === 'dead_letter';
    const failureKey = hasFailed ? this.#failureJobs.get(definitionKey) : undefined;
    if (next.length === 0 && failureKey === undefined) return ofPipeline;
    return {
      hasNext: true,
      apply: async (tx) => {
        const results = (await ofPipeline?.apply(tx)) ?? [];
        if (next.length > 0) await enqueueNextJobs(tx, job, next);
        if (failureKey !== undefined && hasFailed)
          await enqueueFailureJob(tx, job, failureKey, { definitionKey, error: settlement.error });
        return results;
      },
    };
  }

  /** After the commit of a settling statement, which may have enqueued jobs too. */
  #moved(items: readonly SettleItem[], released: SettledRow['released'], hasNext = false): void {
    if (items.length === 0) return;
    this.#notifier.notify(WATCH_CHANNEL);
    // A job that waits for its time needs no notification: workers look again by themselves.
    const isQueued = ({ ending }: SettleItem): boolean =>
      ending.status === 'queued' && (ending.delaySeconds ?? 0) === 0;
    if (hasNext || released !== null || items.some(isQueued)) this.#notifier.notify(WORK_CHANNEL);
    // Not awaited: the run is settled, whatever becomes of those that waited for it.
    if (released === 'doomed') void this.#ender.end();
  }

  async #whyNotMoved(lease: Lease): Promise<FinishResult> {
    const state = await this.#leaseState(lease);
    return state?.cancel_requested === true ? 'cancelRequested' : 'notOwner';
  }

  async #leaseState(lease: Lease): Promise<LeaseStateRow | undefined> {
    const { rows } = await this.#db.asWorker<LeaseStateRow>(findLeaseStates, leaseColumns([lease]));
    return rows[0];
  }
}

function artifactsOf(
  settlement: Settlement | null,
): Extract<Settlement, { status: 'succeeded' }>['artifacts'] {
  return settlement?.status === 'succeeded' ? settlement.artifacts : [];
}

/** Typed errors stay as they are; of others the message is kept. */
function unwritable(thrown: unknown): Error {
  const error = toError(thrown);
  if (error instanceof PermanentError || error instanceof DomainError) return error;
  return new PermanentError('SettleError', `The outcome of the run cannot be written: ${error.message}`);
}
