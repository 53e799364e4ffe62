import { type InsertAlikeJobsRow, insertAlikeJobs } from '../db/sql/queue/insert-alike-jobs.ts';
import { newJobId } from '../db/sql/queue/insert-jobs.ts';
import { type InsertOneJobRow, insertOneJob } from '../db/sql/queue/insert-one-job.ts';
import { inputColumns, inputValues, labelColumns, labelValues } from './input-columns.ts';
import type { InsertOptions, RunStatement } from './insert-options.ts';
import { type NewJob, type Outcome, outcomeOf } from './new-jobs.ts';

/** One or more. */
type Jobs = readonly [NewJob, ...NewJob[]];

/** Whether they are of one tenant and one definition as it was seen once, and have neither dedupe key nor anything to wait for. */
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
export function areAlike(jobs: readonly NewJob[]): jobs is Jobs {
  const createdBy = jobs[0]?.input.createdBy ?? null;
  return haveOneDefinition(jobs) && jobs.every(({ input }) => (input.createdBy ?? null) === createdBy);
}

function isPlain({ input, start }: NewJob): boolean {
  const isFree = start === null || (start.pendingDependencies === 0 && start.doomedReason === null);
  return isFree && input.dedupeKey == null;
}

/** Inserts one. Undefined when it could not go in. */
export async function insertOne(
  run: RunStatement,
  { tenantId, input, payloadJson, revision }: NewJob,
  { evenDeletedTenants, ringing }: InsertOptions,
): Promise<Outcome | undefined> {
  const { rows } = await run<InsertOneJobRow>(insertOneJob, [
    tenantId,
    input.definitionKey,
    revision,
    input.createdBy,
    payloadJson,
    ...inputValues(input),
    evenDeletedTenants,
    ringing,
    ...labelValues(input),
  ]);
  const [row] = rows;
  return row && { kind: 'created', id: row.id, isRung: row.is_rung };
}

/**
 * Inserts jobs that are alike.
 * @returns one outcome a job, in order
 */
export async function insertAlike(
  run: RunStatement,
  jobs: Jobs,
  { evenDeletedTenants, ringing }: InsertOptions,
): Promise<readonly Outcome[]> {
  const [{ tenantId, revision, input }] = jobs;
  const { rows } = await run<InsertAlikeJobsRow>(insertAlikeJobs, [
    tenantId,
    input.definitionKey,
    revision,
    input.createdBy,
    `[${jobs.map((job) => job.payloadJson).join(',')}]`,
    ...inputColumns(jobs),
    evenDeletedTenants,
    ringing,
    ...labelColumns(jobs),
  ]);
  const { id_prefix, refusal, expired, is_rung } = rows[0] as InsertAlikeJobsRow;
  const isExpired = new Set(expired);
  return jobs.map((job, at) => {
    const outcome = refusal ?? (isExpired.has(at + 1) ? 'expired' : 'created');
    return outcomeOf({ id: newJobId(id_prefix, at + 1), outcome, is_rung }, job);
  });
}
