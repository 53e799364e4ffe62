import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText, distinctValues } from '../../../core/filter-values.ts';
import type { CallRow, CallTurnRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import type { RowSource } from '../../../jobs/read-one.ts';
import type { CallStatus } from '../call-status.ts';

/** Which calls; what is omitted does not matter. */
export interface CallFilter {
  readonly statuses?: readonly CallStatus[] | null | undefined;
  readonly createdBy?: string | null | undefined;
}

/** One call of the caller's tenant; null when it is not there. */
export const readCall = defineUseCase(
  { name: 'readCall', role: 'member', scope: 'videos:read', toDo: 'read calls' },
  async (source: RowSource<CallRow>, _caller: Caller, id: string) => source.load(id),
);

/**
 * A page of the actor's tenant's calls, newest first. @throws DomainError `InvalidArgument` for page
 * arguments and statuses
 */
export const findCalls = defineUseCase(
  {
    name: 'findCalls',
    role: 'member',
    scope: 'videos:read',
    toDo: 'read calls',
    cost: (_filter: CallFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: CallFilter,
    page: PageArgs,
  ): Promise<ListedPage<CallRow>> => {
    checkFilterText('filter.createdBy', filter.createdBy, 300);
    const window = windowOf('calls', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.call.findMany({
      where: {
        tenantId: actor.tenantId,
        id: window.id,
        ...(filter.createdBy != null && { createdBy: filter.createdBy }),
        ...(filter.statuses != null && {
          status: { in: distinctValues('filter.statuses', filter.statuses) },
        }),
      },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

const MAX_TURNS = 500;

/** Turns of a transcript from a position on. @throws DomainError `InvalidArgument` */
export const findCallTurns = defineUseCase(
  { name: 'findCallTurns', role: 'member', scope: 'videos:read', toDo: 'read calls', cost: 5 },
  async (
    reads: ReadTransaction,
    actor: Caller,
    { callId, from, count }: { callId: string; from: number; count: number },
  ): Promise<readonly CallTurnRow[]> => {
    const prisma = await reads.prisma();
    return await prisma.callTurn.findMany({
      where: { tenantId: actor.tenantId, callId, position: { gte: Math.max(0, from) } },
      orderBy: { position: 'asc' },
      take: Math.min(MAX_TURNS, Math.max(1, count)),
    });
  },
);
