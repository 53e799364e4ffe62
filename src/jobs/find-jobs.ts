import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { checkFilterText, checkJobTexts, distinctValues } from '../core/filter-values.ts';
import type { JobStatus, Subject } from '../core/job.ts';
import type { JobRow, Prisma, ReadTransaction } from '../db/prisma.ts';
import { type Page, type PageArgs, pageOf, windowOf } from './page.ts';
import { uuidAtTime } from './uuid-time.ts';

/** As long as a definition's key can be. */
const MAX_KEY_LENGTH = 100;

/** Which jobs; what is left away does not matter. */
export interface JobFilter {
  readonly statuses?: readonly JobStatus[] | null | undefined;
  readonly definitionKeys?: readonly string[] | null | undefined;
  readonly subject?: Subject | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly createdBy?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
}

/**
 * A page of the actor's tenant's jobs, newest first. There is no total: counting would read them all.
 * @throws DomainError `InvalidArgument` for page arguments and filter values, `UnknownDefinition`
 */
export async function findJobs(
  reads: ReadTransaction,
  actor: Actor,
  filter: JobFilter,
  page: PageArgs,
): Promise<Page<JobRow>> {
  const window = windowOf(page);
  checkJobTexts(filter);
  const { statuses, definitionKeys, subject, correlationId, createdBy } = filter;
  const where: Prisma.JobWhereInput = {
    tenantId: actor.tenantId,
    AND: [{ id: window.id }, { id: timeBounds(filter) }],
    ...(statuses != null && { status: { in: distinctValues('filter.statuses', statuses) } }),
    ...(definitionKeys != null && { definitionId: { in: await definitionIds(reads, definitionKeys) } }),
    ...(subject != null && { subjectType: subject.type, subjectId: subject.id }),
    ...(correlationId != null && { correlationId }),
    ...(createdBy != null && { createdBy }),
  };
  const prisma = await reads.prisma();
  const fetched = await prisma.job.findMany({ where, orderBy: { id: window.direction }, take: window.take });
  return pageOf(window, fetched);
}

/**
 * Ids of definitions by key.
 * @throws DomainError `InvalidArgument`, `UnknownDefinition`: a misspelled filter would just show nothing
 */
export async function definitionIds(reads: ReadTransaction, keys: readonly string[]): Promise<string[]> {
  const distinct = distinctValues('filter.definitions', keys);
  for (const key of distinct) checkFilterText('filter.definitions', key, MAX_KEY_LENGTH);
  const prisma = await reads.prisma();
  const rows = await prisma.jobDefinition.findMany({
    where: { key: { in: distinct } },
    select: { id: true, key: true },
  });
  const missing = distinct.find((key) => !rows.some((row) => row.key === key));
  if (missing === undefined) return rows.map((row) => row.id);
  throw new DomainError('UnknownDefinition', `There is no job definition ${JSON.stringify(missing)}.`, {
    field: 'filter.definitions',
  });
}

/** Ids are UUIDv7: they order and select by creation time without a column or an index of their own. */
function timeBounds({ createdAfter, createdBefore }: JobFilter): { gte?: string; lt?: string } {
  return {
    ...(createdAfter != null && { gte: uuidAtTime(createdAfter) }),
    ...(createdBefore != null && { lt: uuidAtTime(createdBefore) }),
  };
}
