import { type InsertJobsRow, insertJobs, newJobId } from '../db/sql/queue/insert-jobs.ts';
import { type InsertPlainJobsRow, insertPlainJobs } from '../db/sql/queue/insert-plain-jobs.ts';
import { column, sharedColumn } from './columns.ts';
import { inputColumns } from './input-columns.ts';
import type { InsertOptions, RunStatement } from './insert-options.ts';
import { type NewJob, type Outcome, outcomeOf } from './new-jobs.ts';
import { insertOne, insertUniform, isUniformBatch } from './uniform-batch.ts';

/**
 * Inserts jobs in one statement.
 * @returns one outcome a job, in order
 */
export async function insertRows(
  run: RunStatement,
  jobs: readonly NewJob[],
  options: InsertOptions,
): Promise<readonly Outcome[]> {
  if (isUniformBatch(jobs)) {
    const outcome = jobs.length === 1 ? await insertOne(run, jobs[0], options) : undefined;
    return outcome === undefined ? insertUniform(run, jobs, options) : [outcome];
  }
  const values = valuesOf(jobs, options);
  if (!jobs.some(({ input }) => input.dedupeKey != null)) {
    const { rows } = await run<InsertPlainJobsRow>(insertPlainJobs, values);
    const { id_prefix, refusals, is_notified } = rows[0] as InsertPlainJobsRow;
    return jobs.map((job, at) => {
      const outcome = refusals?.[at + 1] ?? 'created';
      return outcomeOf({ id: newJobId(id_prefix, at + 1), outcome, is_notified }, job);
    });
  }
  const { rows } = await run<InsertJobsRow>(insertJobs, values);
  const outcomes: Outcome[] = new Array(jobs.length);
  for (const { position, ...row } of rows)
    outcomes[position - 1] = outcomeOf(row, jobs[position - 1] as NewJob);
  return outcomes;
}

/** The parameters of the statements for jobs of all kinds. */
function valuesOf(
  jobs: readonly NewJob[],
  { evenDeletedTenants, notifying }: InsertOptions,
): readonly unknown[] {
  return [
    sharedColumn(jobs, (job) => job.tenantId),
    sharedColumn(jobs, (job) => job.input.definitionKey),
    sharedColumn(jobs, (job) => job.revision),
    sharedColumn(jobs, (job) => job.input.createdBy),
    `[${jobs.map((job) => job.payloadJson).join(',')}]`,
    column(jobs, (job) => job.start?.pendingDependencies || null),
    column(jobs, (job) => job.start?.pendingCancelReason),
    evenDeletedTenants,
    notifying,
    column(jobs, (job) => job.input.dedupeKey),
    column(jobs, (job) => job.input.dedupeWindowSeconds),
    ...inputColumns(jobs),
  ];
}
