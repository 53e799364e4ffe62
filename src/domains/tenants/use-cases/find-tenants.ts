import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { ReadDatabase, TenantRow } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';

export interface TenantFilter {
  readonly slug?: string | null | undefined;
  readonly isPaused?: boolean | null | undefined;
  /** Those that are being deleted, in place of the living ones. */
  readonly isDeleted?: boolean | null | undefined;
}

/**
 * A page of all tenants, newest first.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findTenants = defineUseCase(
  {
    name: 'findTenants',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'list tenants',
    cost: (_filter: TenantFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadDatabase,
    { tenantId }: Caller,
    { slug, isPaused, isDeleted }: TenantFilter,
    page: PageArgs,
  ): Promise<ListedPage<TenantRow>> => {
    const window = windowOf('tenants', page);
    checkFilterText('filter.slug', slug, 63);
    const transaction = reads.read({ role: 'admin', tenantId });
    try {
      const prisma = await transaction.prisma();
      const fetched = await prisma.tenant.findMany({
        where: {
          id: window.id,
          deletedAt: isDeleted === true ? { not: null } : null,
          ...(slug != null && { slug }),
          ...(isPaused != null && { pausedAt: isPaused ? { not: null } : null }),
        },
        orderBy: { id: window.direction },
        take: window.take,
      });
      return pageOf(window, fetched);
    } finally {
      await transaction.close();
    }
  },
);
