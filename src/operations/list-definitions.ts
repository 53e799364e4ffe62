import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { DefinitionRow, ReadTransaction } from '../db/prisma.ts';
import { definitionPage } from '../jobs/find-definitions.ts';
import { costOfPage, type Page, type PageArgs } from '../jobs/page.ts';

/**
 * A page of the job definitions for those who operate them, by their keys from a to z.
 * @throws DomainError `Forbidden`; `InvalidArgument` naming `first` or `after`
 */
export const listDefinitions = defineUseCase(
  {
    name: 'listDefinitions',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'list job definitions for operators',
    cost: costOfPage,
  },
  (reads: ReadTransaction, _caller: Caller, page: PageArgs): Promise<Page<DefinitionRow>> =>
    definitionPage(reads, page),
);
