import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { LinkRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import type { RowSource } from '../../../jobs/read-one.ts';
import type { LinkStatus } from '../link-status.ts';

export interface LinkFilter {
  readonly status?: LinkStatus | null | undefined;
}

/** One link of the caller's tenant; null when it is not there or belongs to another tenant. */
export const readLink = defineUseCase(
  { name: 'readLink', role: 'member', scope: 'jobs:read', toDo: 'read links' },
  async (source: RowSource<LinkRow>, _caller: Caller, id: string) => source.load(id),
);

/**
 * A page of the actor's tenant's links, newest first. @throws DomainError `InvalidArgument` for page
 * arguments
 */
export const findLinks = defineUseCase(
  {
    name: 'findLinks',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read links',
    cost: (_filter: LinkFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: LinkFilter,
    page: PageArgs,
  ): Promise<ListedPage<LinkRow>> => {
    const status = filter.status ?? null;
    const window = windowOf(`links/${status ?? ''}`, page);
    const prisma = await reads.prisma();
    const fetched = await prisma.link.findMany({
      where: { tenantId: actor.tenantId, id: window.id, ...(status !== null && { status }) },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
