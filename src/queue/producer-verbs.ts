import { onFinal, onRequeue } from '../core/pipelines/next.ts';
import type { CancelResult, EnqueueInput, EnqueueResult, ProducerQueue, RetryResult } from '../core/queue.ts';
import { isFinal } from '../core/states.ts';
import type { Bell } from '../db/bell.ts';
import { CANCEL_CHANNEL, WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { toJob } from '../db/rows.ts';
import { cancelQueuedJob } from '../db/sql/queue/cancel-queued-job.ts';
import { type ActiveDuplicateRow, findActiveDuplicates } from '../db/sql/queue/find-active-duplicates.ts';
import { type LockedJobRow, lockJob } from '../db/sql/queue/lock-job.ts';
import { requestCancel } from '../db/sql/queue/request-cancel.ts';
import { retryJob } from '../db/sql/queue/retry-job.ts';
import { applyEffects, finishedJob } from './effects.ts';
import { enqueueIn } from './enqueue.ts';

/** The producer's side of the queue on Postgres. Works as the API role: row security sees to the tenant. */
export class PostgresProducerQueue implements ProducerQueue {
  readonly #db: Database;
  readonly #bell: Bell;

  constructor(db: Database, bell: Bell) {
    this.#db = db;
    this.#bell = bell;
  }

  async enqueue(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueResult[]> {
    const results = await this.#db.transaction({ role: 'api', tenantId }, (tx) =>
      enqueueIn(tx, tenantId, inputs),
    );
    this.ringEnqueued(results);
    return results;
  }

  /** Rings after the commit of a transaction that enqueued with `enqueueIn`. */
  ringEnqueued(results: readonly EnqueueResult[]): void {
    if (!results.some((result) => result.kind === 'created')) return;
    this.#bell.ring(WORK_CHANNEL);
    this.#bell.ring(WATCH_CHANNEL);
  }

  async cancel(tenantId: string, jobId: string, by: string, reason: string | null): Promise<CancelResult> {
    const said = reason ?? `canceled by ${by}`;
    let workerId: string | null = null;
    const result = await this.#db.transaction(
      { role: 'api', tenantId },
      async (tx): Promise<CancelResult> => {
        const row = await lock(tx, tenantId, jobId);
        if (row === undefined) return { kind: 'notFound' };
        if (row.status === 'running') {
          await tx.query(requestCancel, [tenantId, jobId, said]);
          workerId = row.claimed_by_worker;
          return { kind: 'requested' };
        }
        if (isFinal(row.status)) return { kind: 'wrongState', status: row.status };
        await tx.query(cancelQueuedJob, [tenantId, jobId, said]);
        const job = toJob(row);
        await applyEffects(
          tx,
          job,
          onFinal(finishedJob(job, row.definition_key), { status: 'canceled', reason: said }),
        );
        return { kind: 'canceled' };
      },
    );
    if (workerId !== null) this.#bell.ring(CANCEL_CHANNEL, workerId);
    if (result.kind === 'canceled' || result.kind === 'requested') this.#bell.ring(WATCH_CHANNEL);
    return result;
  }

  async retry(tenantId: string, jobId: string): Promise<RetryResult> {
    let dedupeKey: string | null = null;
    try {
      const result = await this.#db.transaction(
        { role: 'api', tenantId },
        async (tx): Promise<RetryResult> => {
          const row = await lock(tx, tenantId, jobId);
          if (row === undefined) return { kind: 'notFound' };
          if (row.status === 'running' || (row.status === 'queued' && row.cancel_requested_at !== null))
            return { kind: 'stillRunning' };
          if (row.status === 'succeeded' || row.status === 'queued')
            return { kind: 'wrongState', status: row.status };
          dedupeKey = row.dedupe_key;
          await tx.query(retryJob, [tenantId, jobId]);
          const job = toJob(row);
          await applyEffects(tx, job, onRequeue(finishedJob(job, row.definition_key)));
          return { kind: 'queued' };
        },
      );
      if (result.kind === 'queued') {
        this.#bell.ring(WORK_CHANNEL);
        this.#bell.ring(WATCH_CHANNEL);
      }
      return result;
    } catch (error) {
      if (sqlState(error) !== '23505' || dedupeKey === null) throw error;
      return this.#duplicateOf(tenantId, jobId, dedupeKey);
    }
  }

  /** Which active job holds the key; when it has ended meanwhile, the retry is simply tried again. */
  async #duplicateOf(tenantId: string, jobId: string, dedupeKey: string): Promise<RetryResult> {
    const { rows } = await this.#db.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
      tx.query<ActiveDuplicateRow>(findActiveDuplicates, [tenantId, [dedupeKey]]),
    );
    const rival = rows[0];
    if (rival !== undefined) return { kind: 'activeDuplicate', jobId: rival.id };
    return this.retry(tenantId, jobId);
  }
}

async function lock(tx: Transaction, tenantId: string, jobId: string): Promise<LockedJobRow | undefined> {
  const { rows } = await tx.query<LockedJobRow>(lockJob, [tenantId, jobId]);
  return rows[0];
}
