import type { Actor } from '../core/actor.ts';
import type { ApiKeyRow, MemberRow, ReadTransaction } from '../db/prisma.ts';
import { type ListedPage, type PageArgs, pageOf, windowOf } from '../jobs/page.ts';
import { requireRole } from '../jobs/require-role.ts';

/**
 * A page of the API keys of the actor's tenant, newest first, ended ones too; never their hashes.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export async function findApiKeys(
  reads: ReadTransaction,
  actor: Actor,
  page: PageArgs,
): Promise<ListedPage<ApiKeyRow>> {
  requireRole(actor, 'tenant_admin', 'see API keys');
  const window = windowOf('API keys', page);
  const prisma = await reads.prisma();
  const fetched = await prisma.apiKey.findMany({
    where: { tenantId: actor.tenantId, id: window.id },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}

/**
 * A page of the list of the actor's tenant, newest first. An empty list decides over nobody.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export async function findMembers(
  reads: ReadTransaction,
  actor: Actor,
  page: PageArgs,
): Promise<ListedPage<MemberRow>> {
  requireRole(actor, 'tenant_admin', 'see who is a member');
  const window = windowOf('members', page);
  const prisma = await reads.prisma();
  const fetched = await prisma.tenantMember.findMany({
    where: { tenantId: actor.tenantId, id: window.id },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}
