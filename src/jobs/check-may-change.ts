import { requireRole } from '../access/require-role.ts';
import { type Actor, hasRole } from '../core/actor.ts';
import type { Scope } from '../core/scopes.ts';
import type { Statement } from '../db/statement.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';

/** A thing of a domain that somebody wants to change or delete. */
export interface ChangedSubject {
  /** `video`: as messages name it. */
  readonly kind: string;
  readonly id: string;
  /** Finds `created_by` of tenant $1's thing $2. */
  readonly creator: Statement;
  readonly scope: Scope;
}

/**
 * Who may change or delete what members make: a tenant admin any, a member those that they made themselves.
 * @param toDo `delete videos`
 * @throws DomainError `Forbidden`, or `NotFound` for a member's that is not there
 */
export async function checkMayChange(
  { db }: Pick<JobsDeps, 'db'>,
  actor: Actor,
  { kind, id, creator, scope }: ChangedSubject,
  toDo: string,
): Promise<void> {
  if (hasRole(actor.role, 'tenant_admin')) return;
  const { rows } = await db.asWorker<{ created_by: string | null }>(creator, [actor.tenantId, id]);
  if (rows[0] === undefined) throw notFound(kind, id);
  if (rows[0].created_by !== actor.name)
    requireRole(actor, 'tenant_admin', `${toDo} that others made`, scope);
}
