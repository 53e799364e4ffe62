import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { AuditAction, AuditTarget } from '../core/audit.ts';
import { checkFilterText } from '../core/filter-values.ts';
import { idBounds } from '../core/uuid-time.ts';
import type { AuditRow, ReadTransaction } from '../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../jobs/page.ts';

/** Which entries; an absent condition takes all. */
export interface AuditFilter {
  readonly action?: AuditAction | null | undefined;
  readonly actor?: string | null | undefined;
  readonly targetType?: AuditTarget | null | undefined;
  readonly targetKey?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
}

/**
 * A page of what was done in the actor's tenant, newest first. What is done to job definitions stands in the
 * system tenant's log.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findAuditEntries = defineUseCase(
  {
    name: 'findAuditEntries',
    role: 'tenant_admin',
    scope: 'admin',
    toDo: 'read the audit log',
    cost: (_filter: AuditFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: AuditFilter,
    page: PageArgs,
  ): Promise<ListedPage<AuditRow>> => {
    const window = windowOf('audit log', page);
    check(filter);
    const { action, actor: by, targetType, targetKey } = filter;
    const prisma = await reads.prisma();
    const fetched = await prisma.auditEntry.findMany({
      where: {
        tenantId: actor.tenantId,
        AND: [{ id: window.id }, { id: idBounds(filter) }],
        ...(action != null && { action }),
        ...(by != null && { actor: by }),
        ...(targetType != null && { targetType }),
        ...(targetKey != null && { targetId: targetKey }),
      },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

function check({ actor, targetKey }: AuditFilter): void {
  checkFilterText('filter.actor', actor, 300);
  checkFilterText('filter.targetKey', targetKey, 300);
}
