import type { Channel } from '../db/channels.ts';
import type { Transaction } from '../db/database.ts';
import { type InsertJobsRow, insertJobs } from '../db/sql/queue/insert-jobs.ts';
import { type InsertPlainJobsRow, insertPlainJobs } from '../db/sql/queue/insert-plain-jobs.ts';
import { type Column, column, sharedColumn } from './columns.ts';
import { type NewJob, type Outcome, outcomeOf } from './new-jobs.ts';

/** Runs a statement: in the caller's transaction, or in one of its own. */
type RunStatement = Transaction['query'];

export interface InsertOptions {
  /** For the next stage of a job that ends while its tenant is being deleted: it is deleted with the rest. */
  readonly evenDeletedTenants: boolean;
  /** Channels to ring with the commit; null: none. */
  readonly ringing: readonly Channel[] | null;
}

/**
 * Inserts jobs in one statement.
 * @returns one outcome a job, in order
 */
export async function insertRows(
  run: RunStatement,
  jobs: readonly NewJob[],
  options: InsertOptions,
): Promise<readonly Outcome[]> {
  if (jobs.some(({ input }) => input.dedupeKey != null)) {
    const { rows } = await run<InsertJobsRow>(insertJobs, valuesOf(jobs, options));
    const outcomes: Outcome[] = new Array(jobs.length);
    for (const { position, ...row } of rows)
      outcomes[position - 1] = outcomeOf(row, jobs[position - 1] as NewJob);
    return outcomes;
  }
  const { rows } = await run<InsertPlainJobsRow>(insertPlainJobs, plainValuesOf(jobs, options));
  const { ids, outcomes, is_rung } = rows[0] as InsertPlainJobsRow;
  const said = outcomes?.split(',') as InsertJobsRow['outcome'][] | undefined;
  return ids.split(',').map((id, at) => {
    const outcome = said?.[at] ?? 'created';
    return outcomeOf({ id, outcome, is_rung }, jobs[at] as NewJob);
  });
}

/** The parameters of `insert_jobs`. */
function valuesOf(
  jobs: readonly NewJob[],
  { evenDeletedTenants, ringing }: InsertOptions,
): readonly unknown[] {
  return [
    column(jobs, (job) => job.tenantId),
    column(jobs, (job) => job.input.definitionKey),
    column(jobs, (job) => job.revision),
    column(jobs, (job) => job.payloadJson),
    column(jobs, (job) => job.input.createdBy),
    column(jobs, (job) => job.input.priority),
    column(jobs, (job) => job.input.source),
    column(jobs, (job) => job.input.sourceRef),
    column(jobs, (job) => job.input.dedupeKey),
    column(jobs, (job) => job.input.dedupeWindowSeconds),
    ...rareColumns(jobs),
    ...startColumns(jobs),
    evenDeletedTenants,
    ringing,
  ];
}

/** The parameters of `insert_plain_jobs`. */
function plainValuesOf(
  jobs: readonly NewJob[],
  { evenDeletedTenants, ringing }: InsertOptions,
): readonly unknown[] {
  return [
    sharedColumn(jobs, (job) => job.tenantId),
    sharedColumn(jobs, (job) => job.input.definitionKey),
    sharedColumn(jobs, (job) => job.revision),
    column(jobs, (job) => job.payloadJson),
    sharedColumn(jobs, (job) => job.input.createdBy),
    column(jobs, (job) => job.input.priority),
    column(jobs, (job) => job.input.source),
    column(jobs, (job) => job.input.sourceRef),
    ...rareColumns(jobs),
    evenDeletedTenants,
    ringing,
    ...startColumns(jobs),
  ];
}

function rareColumns(jobs: readonly NewJob[]): readonly Column[] {
  return [
    column(jobs, (job) => job.input.correlationId),
    column(jobs, (job) => job.input.subject?.type),
    column(jobs, (job) => job.input.subject?.id),
    column(jobs, (job) => job.input.scheduledFor),
    column(jobs, (job) => job.input.expiresAt),
    column(jobs, (job) => job.input.timeoutSeconds),
    column(jobs, (job) => job.input.maxAttempts),
  ];
}

function startColumns(jobs: readonly NewJob[]): readonly Column[] {
  return [
    column(jobs, (job) => job.start?.pendingDependencies || null),
    column(jobs, (job) => job.start?.doomedReason),
  ];
}
