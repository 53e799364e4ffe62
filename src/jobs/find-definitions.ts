import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { checkFilterText } from '../core/filter-values.ts';
import type { DefinitionRow, ReadTransaction } from '../db/prisma.ts';
import { refusedCursor } from './list-cursor.ts';
import { costOfPage, type Page, type PageArgs, sizeOf } from './page.ts';

const MAX_CURSOR_LENGTH = 400;
const MAX_KEY_LENGTH = 100;

/** Where a definition stands in the list: its key, opaque to clients. */
export function definitionCursor({ key }: Pick<DefinitionRow, 'key'>): string {
  return Buffer.from(`key:${key}`).toString('base64url');
}

/**
 * The job definition with a key; null when there is none.
 * @throws DomainError `InvalidArgument` for a key that cannot be one
 */
export const findDefinition = defineUseCase(
  { name: 'findDefinition', role: 'member', scope: 'jobs:read', toDo: 'read job definitions' },
  async (reads: ReadTransaction, _caller: Caller, key: string): Promise<DefinitionRow | null> => {
    checkFilterText('key', key, MAX_KEY_LENGTH);
    const prisma = await reads.prisma();
    return await prisma.jobDefinition.findUnique({ where: { key } });
  },
);

/**
 * A page of the job definitions, by their keys from a to z. They belong to the installation, not to a tenant.
 * @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before`
 */
export const findDefinitionPage = defineUseCase(
  {
    name: 'findDefinitionPage',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read job definitions',
    cost: costOfPage,
  },
  (reads: ReadTransaction, _caller: Caller, page: PageArgs) => definitionPage(reads, page),
);

/** The page itself, for use-cases that ask for other roles. @throws DomainError `InvalidArgument` */
export async function definitionPage(reads: ReadTransaction, page: PageArgs): Promise<Page<DefinitionRow>> {
  const { size, fromEnd } = sizeOf(page);
  const after = page.after == null ? null : keyOf('after', page.after);
  const before = page.before == null ? null : keyOf('before', page.before);
  const prisma = await reads.prisma();
  const fetched = await prisma.jobDefinition.findMany({
    where: { key: { ...(after !== null && { gt: after }), ...(before !== null && { lt: before }) } },
    orderBy: { key: fromEnd ? 'desc' : 'asc' },
    take: size + 1,
  });
  const hasMore = fetched.length > size;
  const rows = fetched.slice(0, size);
  return fromEnd
    ? { rows: rows.toReversed(), hasNextPage: before !== null, hasPreviousPage: hasMore }
    : { rows, hasNextPage: hasMore, hasPreviousPage: after !== null };
}

/** The key that a cursor stands for. @throws DomainError `InvalidArgument` naming the field */
function keyOf(field: string, cursor: string): string {
  const text = cursor.length <= MAX_CURSOR_LENGTH ? Buffer.from(cursor, 'base64url').toString() : '';
  const key = text.startsWith('key:') ? text.slice(4) : null;
  if (key !== null && definitionCursor({ key }) === cursor && !key.includes('\0')) return key;
  throw refusedCursor(field, cursor);
}
