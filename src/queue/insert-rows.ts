import type { Channel } from '../db/channels.ts';
import type { Transaction } from '../db/database.ts';
import { type InsertJobsRow, insertJobs, newJobId } from '../db/sql/queue/insert-jobs.ts';
import { type InsertOneJobRow, insertOneJob } from '../db/sql/queue/insert-one-job.ts';
import { type InsertPlainJobsRow, insertPlainJobs } from '../db/sql/queue/insert-plain-jobs.ts';
import { column, sharedColumn } from './columns.ts';
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
  const [only] = jobs;
  if (jobs.length === 1 && only !== undefined && isPlain(only)) {
    const outcome = await insertOne(run, only, options);
    if (outcome !== undefined) return [outcome];
  }
  const values = valuesOf(jobs, options);
  if (!jobs.some(({ input }) => input.dedupeKey != null)) {
    const { rows } = await run<InsertPlainJobsRow>(insertPlainJobs, values);
    const { id_prefix, refusals, is_rung } = rows[0] as InsertPlainJobsRow;
    return jobs.map((job, at) => {
      const outcome = refusals?.[at + 1] ?? 'created';
      return outcomeOf({ id: newJobId(id_prefix, at + 1), outcome, is_rung }, job);
    });
  }
  const { rows } = await run<InsertJobsRow>(insertJobs, values);
  const outcomes: Outcome[] = new Array(jobs.length);
  for (const { position, ...row } of rows)
    outcomes[position - 1] = outcomeOf(row, jobs[position - 1] as NewJob);
  return outcomes;
}

function isPlain({ input, start }: NewJob): boolean {
  const isFree = start === null || (start.pendingDependencies === 0 && start.doomedReason === null);
  return isFree && input.dedupeKey == null;
}

/** Undefined when it could not go in. */
async function insertOne(
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
    input.priority,
    input.source,
    input.sourceRef,
    input.correlationId,
    input.subject?.type,
    input.subject?.id,
    input.scheduledFor,
    input.expiresAt,
    input.timeoutSeconds,
    input.maxAttempts,
    evenDeletedTenants,
    ringing,
  ]);
  const [row] = rows;
  return row && { kind: 'created', id: row.id, isRung: row.is_rung };
}

/** The parameters of the statements for many. */
function valuesOf(
  jobs: readonly NewJob[],
  { evenDeletedTenants, ringing }: InsertOptions,
): readonly unknown[] {
  return [
    sharedColumn(jobs, (job) => job.tenantId),
    sharedColumn(jobs, (job) => job.input.definitionKey),
    sharedColumn(jobs, (job) => job.revision),
    sharedColumn(jobs, (job) => job.input.createdBy),
    `[${jobs.map((job) => job.payloadJson).join(',')}]`,
    column(jobs, (job) => job.input.priority),
    column(jobs, (job) => job.input.source),
    column(jobs, (job) => job.input.sourceRef),
    column(jobs, (job) => job.input.correlationId),
    column(jobs, (job) => job.input.subject?.type),
    column(jobs, (job) => job.input.subject?.id),
    column(jobs, (job) => job.input.scheduledFor),
    column(jobs, (job) => job.input.expiresAt),
    column(jobs, (job) => job.input.timeoutSeconds),
    column(jobs, (job) => job.input.maxAttempts),
    column(jobs, (job) => job.start?.pendingDependencies || null),
    column(jobs, (job) => job.start?.doomedReason),
    evenDeletedTenants,
    ringing,
    column(jobs, (job) => job.input.dedupeKey),
    column(jobs, (job) => job.input.dedupeWindowSeconds),
  ];
}
