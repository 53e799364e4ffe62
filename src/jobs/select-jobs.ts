import { BASE_COST } from '../access/use-case.ts';
import type { BatchCounts } from '../core/bulk.ts';
import { DomainError } from '../core/errors.ts';
import type { ManyJobs } from '../core/producer-queue.ts';
import type { JobConditions } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { conditionsOf, type JobFilter } from './job-filter.ts';
import { cursorOf, idOfCursor } from './list-cursor.ts';
import { WALK_BUDGET, walkJobs } from './walk-jobs.ts';

export const DEFAULT_SELECTION = 1_000;
export const MAX_SELECTION = 10_000;
const MAX_SHOWN_IDS = 20;
/** Oldest first, other than the list of jobs. */
const LIST = 'selected jobs';

/** Which jobs a bulk verb is to change, oldest first. */
export interface SelectionRequest {
  /** At least one condition. */
  readonly filter: JobFilter;
  /** At most N jobs: 1,000 by default, 1 to 10,000. */
  readonly limit?: number | null | undefined;
  /** `endCursor` of an earlier call: goes on behind its last job. */
  readonly after?: string | null | undefined;
}

/** Jobs that matched. */
export interface Selection {
  readonly jobs: Pick<ManyJobs<unknown>, 'ids' | 'statuses' | 'filter'>;
  readonly hasMore: boolean;
  /** Looking ended before the limit was reached and before the tenant's jobs did. */
  readonly isPartial: boolean;
  readonly endCursor: string | null;
}

/** What a bulk verb did. */
export interface BulkOutcome extends BatchCounts {
  /** Jobs that the filter chose, up to the limit. */
  readonly matchedCount: number;
  /** There are more than the limit, or there may be: see `isPartial`. */
  readonly hasMore: boolean;
  /**
   * Looking for jobs ended before the limit was reached and before the tenant's jobs did: the filter matches
   * few of many.
   */
  readonly isPartial: boolean;
  /** Stands behind the last one that was chosen or, in a partial selection, looked at; null when none was. */
  readonly endCursor: string | null;
}

/**
 * Finds the jobs of a selection. The snapshot is closed afterwards: what follows may take long.
 * @param usual the jobs that the verb is about; asked for where the filter names neither ids nor statuses, so
 *   that the limit is not used up by jobs that would be skipped
 * @throws DomainError `InvalidArgument` (`filter` without any condition, `limit`, `after`, values),
 *   `UnknownDefinition`
 */
export async function selectJobs(
  reads: ReadTransaction,
  tenantId: string,
  { filter, limit, after }: SelectionRequest,
  usual: Pick<JobConditions, 'statuses' | 'withoutAsked'>,
): Promise<Selection> {
  checkRestricts(filter);
  const most = checkedLimit(limit ?? DEFAULT_SELECTION);
  const id = after == null ? {} : { gt: idOfCursor(LIST, 'after', after) };
  const asked = await conditionsOf(reads, tenantId, filter, { id, direction: 'asc' });
  const conditions = filter.ids == null && filter.statuses == null ? { ...asked, ...usual } : asked;
  const take = most + 1;
  const found = await walkJobs(reads, conditions, { take, most: take + WALK_BUDGET, columns: 'j.id' });
  await reads.close();
  const ids = found.rows.slice(0, most).map((row) => row.id);
  const isPartial = found.stoppedAt !== null;
  const end = found.stoppedAt?.id ?? ids.at(-1);
  return {
    jobs: { ids, statuses: filter.statuses ?? null, filter: shownFilter(filter) },
    hasMore: found.rows.length > most || isPartial,
    isPartial,
    endCursor: end === undefined ? null : cursorOf(LIST, end),
  };
}

/** Stands behind a job: what `after` takes. */
export function selectionCursor(jobId: string): string {
  return cursorOf(LIST, jobId);
}

/** A selection and what was done to it. */
export function outcomeOf({ jobs, ...rest }: Selection, counts: BatchCounts): BulkOutcome {
  return { ...counts, ...rest, matchedCount: jobs.ids.length };
}

function checkRestricts(filter: JobFilter): void {
  if (Object.values(filter).some((value) => value != null)) return;
  const allowed =
    'at least one of ids, statuses, due, definitions, subject, correlationId, tags, createdBy, createdAfter, createdBefore, finishedAfter, finishedBefore, errorTypes, sources, text, minAttemptCount, payloadContains';
  throw new DomainError('InvalidArgument', `filter chooses every job; allowed: ${allowed}.`, {
    field: 'filter',
    allowed,
  });
}

function checkedLimit(limit: number): number {
  if (limit >= 1 && limit <= MAX_SELECTION) return limit;
  const allowed = `1 to ${MAX_SELECTION}`;
  throw new DomainError('InvalidArgument', `limit is ${limit}; allowed: ${allowed}.`, {
    field: 'limit',
    allowed,
  });
}

/** A filter for the audit log: a long list of ids only by its length, what is not asked for not at all. */
export function shownFilter({ ids, ...rest }: JobFilter): Record<string, unknown> {
  const asked = Object.entries(rest).filter(([, value]) => value != null);
  return {
    ...Object.fromEntries(asked),
    ...(ids != null && (ids.length <= MAX_SHOWN_IDS ? { ids } : { idCount: ids.length })),
  };
}

/** What a bulk verb takes from the caller's rate: a tenth of what its jobs would take one by one. */
export function costOfSelection({ limit }: SelectionRequest): number {
  return BASE_COST + Math.min(MAX_SELECTION, Math.max(0, limit ?? DEFAULT_SELECTION));
}
