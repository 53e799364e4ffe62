import { requireRole } from '../access/require-role.ts';
import { type Actor, hasRole } from '../core/actor.ts';
import { reachesJob } from '../core/reach.ts';
import { hasScope } from '../core/scopes.ts';
import { findJobCreator, type JobCreatorRow } from '../db/sql/read/find-job-creator.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';

/**
 * Who may cancel or retry a job: a tenant admin any, a member those that they created themselves.
 * @throws DomainError `Forbidden`, or `NotFound` for a member's job that is not there
 */
export async function checkMayOperate(
  deps: Pick<JobsDeps, 'db'>,
  actor: Actor,
  jobId: string,
  toDo: string,
): Promise<void> {
  requireRole(actor, 'member', toDo, 'jobs:write');
  if (hasRole(actor.role, 'tenant_admin')) return;
  const { rows } = await deps.db.asWorker<JobCreatorRow>(findJobCreator, [actor.tenantId, jobId]);
  if (rows[0] === undefined || !reachesJob(actor.reach, { id: jobId, createdBy: rows[0].created_by }))
    throw notFound('job', jobId);
  if (rows[0].created_by !== actor.name)
    requireRole(actor, 'tenant_admin', `${toDo} that others created`, 'jobs:write');
}

/** What of a job says who may operate it, and whether there is anything to operate. */
export interface OperableJob {
  readonly status: string;
  readonly createdBy: string | null;
  readonly cancelRequestedAt: Date | null;
}

/** Whether `cancelJob` by the actor would do something to the job as it stands. */
export function canCancel(actor: Actor, job: OperableJob): boolean {
  const isActive = job.status === 'queued' || job.status === 'running';
  return isActive && job.cancelRequestedAt === null && mayOperate(actor, job);
}

/** Whether `retryJob` by the actor would be accepted, unless another active job has the same dedupe key. */
export function canRetry(actor: Actor, job: OperableJob): boolean {
  const { status } = job;
  const isRetryable = status === 'failed' || status === 'dead_letter' || status === 'canceled';
  return isRetryable && mayOperate(actor, job);
}

/** The rule of `checkMayOperate` for a job that has been read. */
function mayOperate(actor: Actor, { createdBy }: OperableJob): boolean {
  if (!hasRole(actor.role, 'member') || !hasScope(actor, 'jobs:write')) return false;
  return hasRole(actor.role, 'tenant_admin') || createdBy === actor.name;
}
