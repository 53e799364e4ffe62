import type { SyncedDefinition } from '../core/definition-records.ts';
import type { JobQueue } from '../core/queue.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import { PostgresMaintenanceQueue } from './maintenance-verbs.ts';
import { PostgresProducerQueue } from './producer-verbs.ts';
import { readDefinitions, syncDefinitions } from './sync-definitions.ts';
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
): JobQueue<DefinitionRow, Transaction> {
  const producer = new PostgresProducerQueue(db, notifier, options);
  const worker = new PostgresWorkerQueue(db, notifier, definitions, options);
  const leader = new PostgresMaintenanceQueue(db, notifier, options.pipelines);
  return {
    enqueue: (tenantId, inputs) => producer.enqueue(tenantId, inputs),
    enqueueIn: (tx, tenantId, inputs) => producer.enqueueIn(tx, tenantId, inputs),
    enqueueCheckedIn: (tx, jobs) => producer.enqueueCheckedIn(tx, jobs),
    enqueueMany: (tenantId, inputs) => producer.enqueueMany(tenantId, inputs),
    enqueueChecked: (tenantId, definitionKey, prepare) =>
      producer.enqueueChecked(tenantId, definitionKey, prepare),
    enqueueManyChecked: (tenantId, items) => producer.enqueueManyChecked(tenantId, items),
    replayChecked: (tenantId, definitionKey, replay, prepare) =>
      producer.replayChecked(tenantId, definitionKey, replay, prepare),
    cancelMany: (jobs, reason) => producer.cancelMany(jobs, reason),
    retryMany: (jobs, spreadSeconds) => producer.retryMany(jobs, spreadSeconds),
    update: (update) => producer.update(update),
    notifyEnqueued: (results) => producer.notifyEnqueued(results),
    notifyUnblocked: () => producer.notifyUnblocked(),
    notifyChanged: () => producer.notifyChanged(),
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
    leaseStates: (leases) => worker.leaseStates(leases),
    storeProgress: (progress) => worker.storeProgress(progress),
    storeLogLines: (runs) => worker.storeLogLines(runs),
    handBackUnknown: (workerId, known) => worker.handBackUnknown(workerId, known),
    jobRecord: (jobId, maxLines) => worker.jobRecord(jobId, maxLines),
    findArtifacts: (tenantId, subject, kind) => worker.findArtifacts(tenantId, subject, kind),
    handBack: (leases) => worker.handBack(leases),
    noteWorker: (presence) => worker.noteWorker(presence),
    removeWorker: (workerId) => worker.removeWorker(workerId),
    peersOf: (workerId) => worker.peersOf(workerId),
    syncDefinitions: (declared) => syncDefinitions(db, declared),
    readDefinitions: (keys) => readDefinitions(db, keys),
    rescue: (limit, upSeconds) => leader.rescue(limit, upSeconds),
    countLeases: (graceSeconds, upSeconds) => leader.countLeases(graceSeconds, upSeconds),
    promoteDue: (limit, of) => leader.promoteDue(limit, of),
    expire: (limit) => leader.expire(limit),
    finishPendingCancels: (limit) => leader.finishPendingCancels(limit),
    repairDependents: (limit, after) => leader.repairDependents(limit, after),
    dueForDeletion: (defaultSeconds) => leader.dueForDeletion(defaultSeconds),
    deleteDue: (due, limit) => leader.deleteDue(due, limit),
    rememberLooked: (due) => leader.rememberLooked(due),
    deleteDeadLetters: (retentionSeconds, limit) => leader.deleteDeadLetters(retentionSeconds, limit),
    pruneJobLogs: (limit) => leader.pruneJobLogs(limit),
    findGone: (jobIds) => leader.findGone(jobIds),
    pruneWorkers: (staleSeconds) => leader.pruneWorkers(staleSeconds),
    measure: (countedAtMost, seenSeconds) => leader.measure(countedAtMost, seenSeconds),
  };
}
