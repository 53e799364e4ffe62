import type { JobQueue } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { PostgresProducerQueue } from './producer-verbs.ts';
import type { SyncedDefinition } from './sync-definitions.ts';
import { PostgresWorkerQueue, type WorkerQueueOptions } from './worker-verbs.ts';

/**
 * The queue on Postgres, every verb of it.
 * @param definitions the definitions this process can run, by id (see `syncDefinitions`)
 */
export function createPostgresQueue(
  db: Database,
  notifier: Notifier,
  definitions: ReadonlyMap<string, SyncedDefinition>,
  options: WorkerQueueOptions,
): JobQueue {
  const producer = new PostgresProducerQueue(db, notifier, options);
  const worker = new PostgresWorkerQueue(db, notifier, definitions, options);
  return {
    enqueue: (tenantId, inputs) => producer.enqueue(tenantId, inputs),
    enqueueMany: (tenantId, inputs) => producer.enqueueMany(tenantId, inputs),
    cancel: (tenantId, jobId, by, reason) => producer.cancel(tenantId, jobId, by, reason),
    retry: (tenantId, jobId, by) => producer.retry(tenantId, jobId, by),
    warmUp: () => worker.warmUp(),
    claim: (request) => worker.claim(request),
    start: (lease) => worker.start(lease),
    putOffStart: (lease) => worker.putOffStart(lease),
    heartbeat: (leases, leaseSeconds) => worker.heartbeat(leases, leaseSeconds),
    finish: (claimed, finish, measure) => worker.finish(claimed, finish, measure),
    finishWithCallback: (claimed, finish, measure, listener) =>
      worker.finishWithCallback(claimed, finish, measure, listener),
    holds: (lease) => worker.holds(lease),
    rescue: (limit, upSeconds) => worker.rescue(limit, upSeconds),
    expire: (limit) => worker.expire(limit),
    finishPendingCancels: (limit) => worker.finishPendingCancels(limit),
    repairDependents: (limit, after) => worker.repairDependents(limit, after),
  };
}
