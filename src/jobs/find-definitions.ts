import type { DefinitionRow, ReadTransaction } from '../db/prisma.ts';
import { type Page, type PageArgs, pageOf, windowOf } from './page.ts';

/** A page of the job definitions, newest first. They belong to the installation, not to a tenant. */
export async function findDefinitionPage(
  reads: ReadTransaction,
  page: PageArgs,
): Promise<Page<DefinitionRow>> {
  const window = windowOf(page);
  const prisma = await reads.prisma();
  const fetched = await prisma.jobDefinition.findMany({
    where: { id: window.id },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}
