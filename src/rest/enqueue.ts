import type { Static } from 'typebox';
import type { JobStatus } from '../core/job.ts';
import type { Transaction } from '../db/database.ts';
import { type EnqueuedJobRow, findEnqueuedJob } from '../db/sql/read/find-enqueued-job.ts';
import { subjectOf } from '../graphql/types/subject.ts';
import type { EnqueueJobRequest } from '../jobs/enqueue-job.ts';
import type { RestContext } from './context.ts';
import type { EnqueuedJobSchema, EnqueueSchema } from './schemas/job.ts';
import { timeOf } from './times.ts';

/** The body as the use-case takes it. @throws DomainError `InvalidArgument` */
export function requestOf(body: Static<typeof EnqueueSchema>, { deps }: RestContext): EnqueueJobRequest {
  return {
    definitionKey: body.definition_key,
    payload: body.payload,
    priority: body.priority,
    scheduledFor: timeOf('scheduled_for', body.scheduled_for),
    expiresAt: timeOf('expires_at', body.expires_at),
    timeoutSeconds: body.timeout_seconds,
    dedupeKey: body.dedupe_key,
    dedupeWindowSeconds: body.dedupe_window_seconds,
    dependsOn: (body.depends_on ?? []).map(({ job_id: jobId, policy }) => ({
      jobId: jobId.toLowerCase(),
      policy: policy ?? 'cancel',
    })),
    correlationId: body.correlation_id,
    subject: subjectOf(deps.access, body.subject),
    maxAttempts: body.max_attempts,
    tags: body.tags,
    metadata: body.metadata,
  };
}

/**
 * What a caller that enqueues reads of the job: one look by its key.
 * @param tx that has just written it; a look of its own by default
 */
export async function enqueuedJob(
  { deps, caller }: RestContext,
  id: string,
  tx?: Transaction,
): Promise<Static<typeof EnqueuedJobSchema>> {
  const values = [caller.tenantId, id];
  const { rows } = await (tx === undefined
    ? deps.jobs.db.asWorker<EnqueuedJobRow>(findEnqueuedJob, values)
    : tx.query<EnqueuedJobRow>(findEnqueuedJob, values));
  const [row] = rows;
  if (row === undefined) throw new Error(`Job ${id} was written but cannot be read`);
  return {
    id,
    tenant_id: caller.tenantId,
    status: row.status as JobStatus,
    definition_key: row.definition_key,
    queued_at: row.queued_at.toISOString(),
  };
}
