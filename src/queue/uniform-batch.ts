import { newJobId } from '../db/sql/queue/insert-jobs.ts';
import { type InsertOneJobRow, insertOneJob } from '../db/sql/queue/insert-one-job.ts';
import { type InsertUniformBatchRow, insertUniformBatch } from '../db/sql/queue/insert-uniform-batch.ts';
import { inputColumns, inputValues } from './input-columns.ts';
import type { InsertOptions, RunStatement } from './insert-options.ts';
import { type NewJob, type Outcome, outcomeOf } from './new-jobs.ts';

/** One or more. */
type Jobs = readonly [NewJob, ...NewJob[]];

/**
 * Whether they are of one tenant and one definition as it was seen once, and have neither dedupe key nor
 * anything to wait for.
 */
export function haveOneDefinition(jobs: readonly NewJob[]): jobs is Jobs {
  const [first] = jobs;
  if (first === undefined) return false;
  const { tenantId, revision, input } = first;
  return jobs.every(
    (job) =>
      isPlain(job) &&
      job.tenantId === tenantId &&
      job.revision === revision &&
      job.input.definitionKey === input.definitionKey,
  );
}

/** Whether they have the caller in common too. */
export function isUniformBatch(jobs: readonly NewJob[]): jobs is Jobs {
  const createdBy = jobs[0]?.input.createdBy ?? null;
  return haveOneDefinition(jobs) && jobs.every(({ input }) => (input.createdBy ?? null) === createdBy);
}

function isPlain({ input, start }: NewJob): boolean {
  const isFree = start === null || (start.pendingDependencies === 0 && start.pendingCancelReason === null);
  return isFree && input.dedupeKey == null;
}

/** Inserts one. Undefined when it could not go in. */
export async function insertOne(
  run: RunStatement,
  job: NewJob,
  { evenDeletedTenants, notifying }: InsertOptions,
): Promise<Outcome | undefined> {
  const { tenantId, input, payloadJson, revision } = job;
  const { rows } = await run<InsertOneJobRow>(insertOneJob, [
    tenantId,
    input.definitionKey,
    revision,
    input.createdBy,
    payloadJson,
    evenDeletedTenants,
    notifying,
    ...inputValues(job),
  ]);
  const [row] = rows;
  return row && { kind: 'created', id: row.id, isNotified: row.is_notified };
}

/**
 * Inserts jobs that are alike.
 * @returns one outcome a job, in order
 */
export async function insertUniform(
  run: RunStatement,
  jobs: Jobs,
  { evenDeletedTenants, notifying }: InsertOptions,
): Promise<readonly Outcome[]> {
  const [{ tenantId, revision, input }] = jobs;
  const { rows } = await run<InsertUniformBatchRow>(insertUniformBatch, [
    tenantId,
    input.definitionKey,
    revision,
    input.createdBy,
    `[${jobs.map((job) => job.payloadJson).join(',')}]`,
    evenDeletedTenants,
    notifying,
    ...inputColumns(jobs),
  ]);
  const { id_prefix, refusal, expired, is_notified } = rows[0] as InsertUniformBatchRow;
  const isExpired = new Set(expired);
  return jobs.map((job, at) => {
    const outcome = refusal ?? (isExpired.has(at + 1) ? 'expired' : 'created');
    return outcomeOf({ id: newJobId(id_prefix, at + 1), outcome, is_notified }, job);
  });
}
