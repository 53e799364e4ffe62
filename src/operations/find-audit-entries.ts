import type { Actor } from '../core/actor.ts';
import { AUDIT_ACTIONS } from '../core/audit.ts';
import { DomainError } from '../core/errors.ts';
import { checkFilterText } from '../core/filter-values.ts';
import type { AuditRow, ReadTransaction } from '../db/prisma.ts';
import { type Page, type PageArgs, pageOf, windowOf } from '../jobs/page.ts';
import { requireRole } from '../jobs/require-role.ts';
import { idBounds } from '../jobs/uuid-time.ts';

/** Which entries; what is left away does not matter. */
export interface AuditFilter {
  readonly action?: string | null | undefined;
  readonly actor?: string | null | undefined;
  readonly targetType?: string | null | undefined;
  readonly targetId?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
}

/**
 * A page of what was done in the actor's tenant, newest first. What is done to job definitions stands in the system tenant's log.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export async function findAuditEntries(
  reads: ReadTransaction,
  actor: Actor,
  filter: AuditFilter,
  page: PageArgs,
): Promise<Page<AuditRow>> {
  requireRole(actor, 'tenant_admin', 'read the audit log');
  const window = windowOf(page);
  check(filter);
  const { action, actor: by, targetType, targetId } = filter;
  const prisma = await reads.prisma();
  const fetched = await prisma.auditEntry.findMany({
    where: {
      tenantId: actor.tenantId,
      AND: [{ id: window.id }, { id: idBounds(filter) }],
      ...(action != null && { action }),
      ...(by != null && { actor: by }),
      ...(targetType != null && { targetType }),
      ...(targetId != null && { targetId }),
    },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}

function check({ action, actor, targetType, targetId }: AuditFilter): void {
  checkFilterText('filter.actor', actor, 300);
  checkFilterText('filter.targetType', targetType, 100);
  checkFilterText('filter.targetId', targetId, 300);
  if (action == null || (AUDIT_ACTIONS as readonly string[]).includes(action)) return;
  const allowed = AUDIT_ACTIONS.join(', ');
  const shown = JSON.stringify(action.slice(0, 80));
  throw new DomainError('InvalidArgument', `filter.action is ${shown}; allowed: ${allowed}.`, {
    field: 'filter.action',
    allowed,
  });
}
