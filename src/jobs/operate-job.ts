import { type Actor, hasRole } from '../core/actor.ts';
import { findJobCreator } from '../db/sql/read/find-job-creator.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';
import { requireRole } from './require-role.ts';

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
  const { rows } = await deps.db.asWorker<{ created_by: string | null }>(findJobCreator, [
    actor.tenantId,
    jobId,
  ]);
  if (rows[0] === undefined) throw notFound('job', jobId);
  if (rows[0].created_by !== actor.name)
    requireRole(actor, 'tenant_admin', `${toDo} that others created`, 'jobs:write');
}
