import type { BatchCounts } from '../core/bulk.ts';
import type {
  CheckedJob,
  CheckedJobResult,
  JobUpdate,
  ProducerQueue,
  Replay,
  UpdateResult,
} from '../core/producer-queue.ts';
import type {
  CancelResult,
  EnqueueInput,
  EnqueueItemResult,
  EnqueueResult,
  RetryResult,
} from '../core/queue.ts';
import { storedReason } from '../core/system-cancel-reasons.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { recordOutcome } from '../db/outcome-record.ts';
import { recordAction } from '../db/record-action.ts';
import { sqlState } from '../db/retryable.ts';
import { type ActiveDuplicateRow, findActiveDuplicates } from '../db/sql/queue/find-active-duplicates.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { DEFAULT_MAX_PAYLOAD_BYTES } from '../payloads/payload-json.ts';
import { cancelHeld } from './cancel-held.ts';
import { cancelMany } from './cancel-many.ts';
import { reviveRest } from './dependencies-release.ts';
import { Enqueuer } from './enqueuer.ts';
import { holdingJobs, OPERATOR_WAIT_MS } from './hold-jobs.ts';
import type { ManyJobs } from './many-jobs.ts';
import { notifyCanceled, notifyReady } from './notifications.ts';
import { PendingCancelFinisher } from './pending-cancel-finisher.ts';
import type { Pipelines } from './pipelines.ts';
import type { BulkItem, Prepare } from './prepare.ts';
import { retryHeld } from './retry-held.ts';
import { retryMany } from './retry-many.ts';
import { updateJobRow } from './update-job.ts';

/** Rivals for a dedupe key that came and went while a job was retried. */
const MAX_RIVAL_ROUNDS = 5;

export interface ProducerOptions {
  /** What the end of jobs leads to. */
  readonly pipelines: Pipelines;
  /** Largest payload, as JSON text in UTF-8; 1 MiB by default. */
  readonly maxPayloadBytes?: number;
}

/**
 * The producer's side of the queue on Postgres. Works as the API role, for which row security sees to the
 * tenant; single enqueues that share an INSERT are the exception (see `InsertGroups`).
 */
export class PostgresProducerQueue implements ProducerQueue<DefinitionRow, Transaction> {
  readonly #db: Database;
  readonly #notifier: Notifier;
  readonly #ender: PendingCancelFinisher;
  readonly #enqueuer: Enqueuer;
  readonly #pipelines: Pipelines;

  constructor(db: Database, notifier: Notifier, options: ProducerOptions) {
    const { pipelines, maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES } = options;
    this.#pipelines = pipelines;
    this.#db = db;
    this.#notifier = notifier;
    this.#ender = new PendingCancelFinisher(db, notifier, pipelines);
    this.#enqueuer = new Enqueuer(db, notifier, this.#ender, maxPayloadBytes);
  }

  enqueue(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueResult[]> {
    return this.#enqueuer.enqueue(tenantId, inputs);
  }

  enqueueIn(
    tx: Transaction,
    tenantId: string,
    inputs: readonly EnqueueInput[],
  ): Promise<readonly EnqueueResult[]> {
    return this.#enqueuer.enqueueIn(tx, tenantId, inputs);
  }

  enqueueCheckedIn(tx: Transaction, jobs: readonly CheckedJob[]): Promise<readonly CheckedJobResult[]> {
    return this.#enqueuer.enqueueCheckedIn(tx, jobs);
  }

  enqueueMany(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueItemResult[]> {
    return this.#enqueuer.enqueueMany(tenantId, inputs);
  }

  /** One job, its payload checked by the definition; see `Enqueuer.enqueueChecked`. */
  enqueueChecked(tenantId: string, definitionKey: string, prepare: Prepare): Promise<EnqueueResult> {
    return this.#enqueuer.enqueueChecked(tenantId, definitionKey, prepare);
  }

  /** Many jobs, each checked by its definition; see `Enqueuer.enqueueManyChecked`. */
  enqueueManyChecked(tenantId: string, items: readonly BulkItem[]): Promise<readonly EnqueueItemResult[]> {
    return this.#enqueuer.enqueueManyChecked(tenantId, items);
  }

  /** A job that replays an ended one; see `Enqueuer.replayChecked`. */
  replayChecked(
    tenantId: string,
    definitionKey: string,
    replay: Replay,
    prepare: Prepare,
  ): Promise<EnqueueResult> {
    return this.#enqueuer.replayChecked(tenantId, definitionKey, replay, prepare);
  }

  /** Notifies after the commit of a transaction that enqueued with `enqueueIn`. */
  notifyEnqueued(results: readonly EnqueueResult[]): void {
    if (results.some((result) => result.kind === 'created')) notifyReady(this.#notifier);
  }

  /** Notifies after the commit of a transaction that lifted a pause or a limit. */
  notifyUnblocked(): void {
    notifyReady(this.#notifier);
  }

  /** Notifies after the commit of a transaction that changed what is watched and no job. */
  notifyChanged(): void {
    this.#notifier.notify(WATCH_CHANNEL);
  }

  async cancel(tenantId: string, jobId: string, by: string, reason: string | null): Promise<CancelResult> {
    const said = storedReason(by, reason);
    const holding = this.#holding(tenantId, jobId);
    const done = await holdingJobs(this.#db, holding, async (tx, rows) => {
      const held = await cancelHeld(tx, this.#pipelines, tenantId, rows, said);
      const outcome = held.canceled.length > 0 ? 'canceled' : 'requested';
      if (held.canceled.length + held.requested.length > 0)
        await record(tx, 'job.cancel', tenantId, jobId, by, { outcome, reason: said });
      if (held.canceled.length + held.requested.length + held.askedBefore.length > 0)
        await recordOutcome(tx, outcome);
      return held;
    });
    if (done === 'busy') return { kind: 'busy' };
    const touched = [...done.canceled, ...done.requested];
    if (touched.length > 0) notifyCanceled(this.#notifier, touched);
    if (done.released.ready) notifyReady(this.#notifier);
    if (done.released.pendingCancels) await this.#ender.end();
    if (done.canceled.length > 0) return { kind: 'canceled' };
    if (done.final[0] !== undefined) return { kind: 'wrongState', status: done.final[0].status };
    return done.requested.length + done.askedBefore.length > 0 ? { kind: 'requested' } : { kind: 'notFound' };
  }

  async retry(tenantId: string, jobId: string, by = 'system'): Promise<RetryResult> {
    const holding = this.#holding(tenantId, jobId);
    for (let round = 1; round <= MAX_RIVAL_ROUNDS; round++) {
      try {
        const done = await holdingJobs(this.#db, holding, async (tx, rows) => {
          const held = await retryHeld(tx, this.#pipelines, tenantId, rows, 0);
          if (held.queued.length > 0) {
            await record(tx, 'job.retry', tenantId, jobId, by, { was: held.queued[0]?.status });
            await recordOutcome(tx, null);
          }
          return held;
        });
        if (done === 'busy') return { kind: 'busy' };
        if (done.queued.length > 0) {
          await reviveRest(this.#db, this.#pipelines, done.revivedEdge);
          notifyReady(this.#notifier);
          return { kind: 'queued' };
        }
        if (done.stillRunning.length > 0) return { kind: 'stillRunning' };
        if (done.wrongState[0] !== undefined)
          return { kind: 'wrongState', status: done.wrongState[0].status };
        if (done.duplicates[0] === undefined) return { kind: 'notFound' };
        const rivalId = await this.#rivalOf(done.duplicates[0]);
        // Null: it has ended meanwhile, so the key is free again.
        if (rivalId !== null) return { kind: 'activeDuplicate', jobId: rivalId };
      } catch (error) {
        // A rival has just committed: the next round sees it.
        if (sqlState(error) !== '23505') throw error;
      }
    }
    return { kind: 'busy' };
  }

  /** Cancels many jobs in batches; see `cancelMany`. */
  cancelMany(jobs: ManyJobs, reason: string | null): Promise<BatchCounts> {
    return cancelMany(this.#db, this.#notifier, this.#ender, this.#pipelines, jobs, reason);
  }

  /** Retries many jobs in batches; see `retryMany`. */
  retryMany(jobs: ManyJobs, spreadSeconds: number): Promise<BatchCounts> {
    return retryMany(this.#db, this.#notifier, this.#pipelines, jobs, spreadSeconds);
  }

  /** Another priority or time for a queued job. */
  update(update: JobUpdate): Promise<UpdateResult> {
    return updateJobRow(this.#db, this.#notifier, update);
  }

  #holding(tenantId: string, jobId: string) {
    const { payloadSubjects } = this.#pipelines;
    return { tenantId, ids: [jobId], waitMs: OPERATOR_WAIT_MS, payloadSubjects };
  }

  async #rivalOf({ tenant_id: tenantId, dedupe_key }: LockedJobRow): Promise<string | null> {
    const { rows } = await this.#db.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
      tx.query<ActiveDuplicateRow>(findActiveDuplicates, [tenantId, [dedupe_key]]),
    );
    return rows[0]?.id ?? null;
  }
}

function record(
  tx: Transaction,
  action: 'job.cancel' | 'job.retry',
  tenantId: string,
  jobId: string,
  by: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAction(tx, { tenantId, actor: by, action, targetType: 'job', targetId: jobId, details });
}
