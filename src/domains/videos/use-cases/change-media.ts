import { requireRole } from '../../../access/require-role.ts';
import { type Actor, hasRole } from '../../../core/actor.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { findMediaCreator } from '../sql/find-media-creator.ts';

/**
 * Who may change or delete a video, a clip or a call: a tenant admin any, a member those that they made
 * themselves.
 * @throws DomainError `Forbidden`, or `NotFound` for a member's that is not there
 */
export async function checkMayChange(
  { db }: Pick<JobsDeps, 'db'>,
  actor: Actor,
  kind: 'video' | 'clip' | 'call',
  id: string,
  toDo: string,
): Promise<void> {
  requireRole(actor, 'member', toDo, 'videos:write');
  if (hasRole(actor.role, 'tenant_admin')) return;
  const { rows } = await db.asWorker<{ created_by: string | null }>(findMediaCreator, [
    actor.tenantId,
    id,
    kind,
  ]);
  if (rows[0] === undefined) throw notFound(kind, id);
  if (rows[0].created_by !== actor.name)
    requireRole(actor, 'tenant_admin', `${toDo} that others made`, 'videos:write');
}
