import { DomainError } from '../core/errors.ts';
import { checkFilterText, checkJobTexts, distinctTags, distinctValues } from '../core/filter-values.ts';
import type { JobStatus, Subject } from '../core/job.ts';
import type { Prisma, ReadTransaction } from '../db/prisma.ts';
import { idBounds } from './uuid-time.ts';

/** As long as a definition's key can be. */
const MAX_KEY_LENGTH = 100;
const MAX_IDS = 1_000;
const MAX_ERROR_TYPE_LENGTH = 300;

/** Which jobs; what is left away does not matter. */
export interface JobFilter {
  /** UUIDs. */
  readonly ids?: readonly string[] | null | undefined;
  readonly statuses?: readonly JobStatus[] | null | undefined;
  readonly definitionKeys?: readonly string[] | null | undefined;
  readonly subject?: Subject | null | undefined;
  readonly correlationId?: string | null | undefined;
  /** At least one of them. */
  readonly tags?: readonly string[] | null | undefined;
  readonly createdBy?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
  /** At or after, as the next only of jobs that have ended. */
  readonly finishedAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly finishedBefore?: Date | null | undefined;
  /** Of the last error, one of them. */
  readonly errorTypes?: readonly string[] | null | undefined;
}

/**
 * A filter as a condition on one tenant's jobs.
 * @throws DomainError `InvalidArgument` for values, `UnknownDefinition`
 */
async function whereJobs(
  reads: ReadTransaction,
  tenantId: string,
  filter: JobFilter,
): Promise<Prisma.JobWhereInput> {
  checkJobTexts(filter);
  const { ids, statuses, definitionKeys, subject, correlationId, tags, createdBy } = filter;
  return {
    tenantId,
    AND: [
      // Ids are UUIDv7: they order and select by creation time without a column or an index of their own.
      { id: idBounds(filter) },
      { finishedAt: finishedBounds(filter) },
      ...(filter.errorTypes == null ? [] : [{ OR: ofErrorTypes(filter.errorTypes) }]),
      ...(ids == null ? [] : [{ id: { in: distinctValues('filter.ids', ids, MAX_IDS) } }]),
    ],
    ...(statuses != null && { status: { in: distinctValues('filter.statuses', statuses) } }),
    ...(definitionKeys != null && { definitionId: { in: await definitionIds(reads, definitionKeys) } }),
    ...(subject != null && { subjectType: subject.type, subjectId: subject.id }),
    ...(correlationId != null && { correlationId }),
    ...(tags != null && { tags: { hasSome: distinctTags(tags) } }),
    ...(createdBy != null && { createdBy }),
  };
}

function finishedBounds({ finishedAfter, finishedBefore }: JobFilter): Prisma.DateTimeNullableFilter {
  return {
    ...(finishedAfter != null && { gte: finishedAfter }),
    ...(finishedBefore != null && { lt: finishedBefore }),
  };
}

/** @throws DomainError `InvalidArgument` */
function ofErrorTypes(types: readonly string[]): Prisma.JobWhereInput[] {
  const distinct = distinctValues('filter.errorTypes', types);
  for (const type of distinct) checkFilterText('filter.errorTypes', type, MAX_ERROR_TYPE_LENGTH);
  // An OR of nothing would be dropped, and choose every job.
  if (distinct.length === 0) return [{ id: { in: [] } }];
  return distinct.map((type) => ({ lastError: { path: ['type'], equals: type } }));
}

/**
 * The same condition for a reader that goes through the jobs in the order of their ids: by the tenant's list, unless the filter has an
 * index of its own that is in this order.
 * @param ids where the reader stands. Said of the list too: of two columns that are equal the planner passes on no bounds.
 * @throws DomainError `InvalidArgument` for values, `UnknownDefinition`
 */
export async function whereListed(
  reads: ReadTransaction,
  tenantId: string,
  filter: JobFilter,
  ids: Prisma.UuidFilter,
): Promise<Prisma.JobWhereInput> {
  const where = await whereJobs(reads, tenantId, filter);
  if (filter.ids != null || filter.subject != null || filter.correlationId != null)
    return { AND: [where, { id: ids }] };
  const listed = { tenantId, AND: [{ jobId: ids }, { jobId: idBounds(filter) }] };
  return { AND: [where, { id: ids }, { listed: { some: listed } }] };
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
    allowed: 'keys of definitions, as `jobDefinitions` lists them',
  });
}
