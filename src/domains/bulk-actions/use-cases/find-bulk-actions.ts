import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { BulkActionRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import type { RowSource } from '../../../jobs/read-one.ts';

/** One bulk action of the caller's tenant; null when it is not there. */
export const readBulkAction = defineUseCase(
  { name: 'readBulkAction', role: 'member', scope: 'jobs:read', toDo: 'read bulk actions' },
  async (source: RowSource<BulkActionRow>, _caller: Caller, id: string) => source.load(id),
);

/**
 * A page of the actor's tenant's bulk actions, newest first. @throws DomainError `InvalidArgument` for page
 * arguments
 */
export const findBulkActions = defineUseCase(
  {
    name: 'findBulkActions',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read bulk actions',
    cost: (page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    page: PageArgs,
  ): Promise<ListedPage<BulkActionRow>> => {
    const window = windowOf('bulk actions', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.bulkAction.findMany({
      where: { tenantId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
