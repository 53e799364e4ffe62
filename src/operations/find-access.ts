import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { ApiKeyRow, MemberRow, ReadTransaction } from '../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../jobs/page.ts';

/**
 * A page of the API keys of the actor's tenant, newest first, ended ones too; never their hashes.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findApiKeys = defineUseCase(
  { name: 'findApiKeys', role: 'tenant_admin', scope: 'admin', toDo: 'see API keys', cost: costOfPage },
  async (reads: ReadTransaction, actor: Caller, page: PageArgs): Promise<ListedPage<ApiKeyRow>> => {
    const window = windowOf('API keys', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.apiKey.findMany({
      where: { tenantId: actor.tenantId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/**
 * A page of the list of the actor's tenant, newest first. An empty list decides over nobody.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const findMembers = defineUseCase(
  {
    name: 'findMembers',
    role: 'tenant_admin',
    scope: 'admin',
    toDo: 'see who is a member',
    cost: costOfPage,
  },
  async (reads: ReadTransaction, actor: Caller, page: PageArgs): Promise<ListedPage<MemberRow>> => {
    const window = windowOf('members', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.tenantMember.findMany({
      where: { tenantId: actor.tenantId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
