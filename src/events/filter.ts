import { DomainError } from '../core/errors.ts';
import {
  checkJobTexts,
  checkMinAttemptCount,
  distinctErrorTypes,
  distinctTags,
  distinctValues,
} from '../core/filter-values.ts';
import { isUuid } from '../core/ids.ts';
import { JOB_STATUSES, type JobSource, type JobStatus, type Subject } from '../core/job.ts';
import { idBounds } from '../core/uuid-time.ts';
import type { JobChange, JobRemoval } from './change.ts';

/**
 * Which jobs of one tenant to watch, and how much of the past to begin with. What is omitted does not
 * restrict.
 */
export interface JobFilter {
  readonly tenantId: string;
  readonly ids?: readonly string[] | null;
  readonly definitionIds?: readonly string[] | null;
  /**
   * This, the tags, the failed runs, the error, the text and the end change: a job that leaves them is
   * announced as `jobLeft`.
   */
  readonly statuses?: readonly JobStatus[] | null;
  /** At least one of them. */
  readonly tags?: readonly string[] | null;
  readonly subject?: Subject | null;
  readonly correlationId?: string | null;
  readonly createdBy?: string | null;
  /** At or after. */
  readonly createdAfter?: Date | null;
  /** Before, not at. */
  readonly createdBefore?: Date | null;
  /** What asked for them, one of these. */
  readonly sources?: readonly JobSource[] | null;
  /** At or after, as the next only of jobs that have ended. */
  readonly finishedAfter?: Date | null;
  /** Before, not at. */
  readonly finishedBefore?: Date | null;
  /** The type of the last error is one of these. */
  readonly errorTypes?: readonly string[] | null;
  /** Part of the error, correlation id, subject or a tag, in whatever case. */
  readonly text?: string | null;
  /** Runs that ended in an error, a timeout or a lost lease: at least N, from 1. */
  readonly minAttemptCount?: number | null;
  /**
   * Finished jobs of the initial state: those that ended in the last N seconds, 0 to 604,800. By default
   * 3,600, with `finishedAfter` back to it. With `ids` age is no matter.
   */
  readonly sinceSeconds?: number | null;
  /** Jobs of the initial state: 1,000 by default, 1 to 10,000, newest first. */
  readonly initialLimit?: number | null;
}

/** A filter with its defaults filled in. */
export interface CheckedFilter {
  readonly tenantId: string;
  readonly ids: readonly string[] | null;
  readonly definitionIds: readonly string[] | null;
  readonly statuses: readonly JobStatus[] | null;
  readonly tags: readonly string[] | null;
  readonly subject: Subject | null;
  readonly correlationId: string | null;
  readonly createdBy: string | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
  /** Ids of jobs stand for when they were enqueued. */
  readonly fromId: string | null;
  readonly beforeId: string | null;
  readonly sources: readonly JobSource[] | null;
  readonly finishedAfter: Date | null;
  readonly finishedBefore: Date | null;
  readonly errorTypes: readonly string[] | null;
  readonly text: string | null;
  readonly minAttemptCount: number | null;
  readonly sinceSeconds: number;
  readonly initialLimit: number;
}

const MAX_LIST = 1_000;
const MAX_SINCE_SECONDS = 604_800;

/**
 * Checks a filter and fills in its defaults.
 * @throws DomainError `InvalidArgument` naming the field
 */
export function checkFilter(filter: JobFilter): CheckedFilter {
  requireThat(isUuid(filter.tenantId), 'tenantId', filter.tenantId, 'a UUID');
  // What the database cannot take would fail at every read, and so as often as a read is tried again.
  checkJobTexts(filter);
  checkMinAttemptCount(filter.minAttemptCount ?? null);
  const statuses = filter.statuses == null ? null : distinctValues('filter.statuses', filter.statuses);
  for (const status of statuses ?? []) {
    requireThat(JOB_STATUSES.includes(status), 'statuses', status, JOB_STATUSES.join(', '));
  }
  const sinceSeconds = filter.sinceSeconds ?? defaultSinceSeconds(filter.finishedAfter);
  requireThat(
    sinceSeconds >= 0 && sinceSeconds <= MAX_SINCE_SECONDS,
    'sinceSeconds',
    sinceSeconds,
    '0 to 604800',
  );
  const initialLimit = filter.initialLimit ?? 1_000;
  const isLimit = Number.isInteger(initialLimit) && initialLimit >= 1 && initialLimit <= 10_000;
  requireThat(isLimit, 'initialLimit', initialLimit, 'a whole number from 1 to 10000');
  const { gte = null, lt = null } = idBounds(filter);
  return {
    tenantId: filter.tenantId.toLowerCase(),
    ids: uuidsOf('ids', filter.ids),
    definitionIds: uuidsOf('definitionIds', filter.definitionIds),
    statuses,
    tags: filter.tags == null ? null : distinctTags(filter.tags),
    subject: filter.subject ?? null,
    correlationId: filter.correlationId ?? null,
    createdBy: filter.createdBy ?? null,
    createdAfter: filter.createdAfter ?? null,
    createdBefore: filter.createdBefore ?? null,
    fromId: gte,
    beforeId: lt,
    sources: filter.sources == null ? null : distinctValues('filter.sources', filter.sources),
    finishedAfter: filter.finishedAfter ?? null,
    finishedBefore: filter.finishedBefore ?? null,
    errorTypes: filter.errorTypes == null ? null : distinctErrorTypes(filter.errorTypes),
    text: filter.text ?? null,
    minAttemptCount: filter.minAttemptCount ?? null,
    sinceSeconds,
    initialLimit,
  };
}

/** True when what never changes about a job is what the filter asks for. */
export function selects(filter: CheckedFilter, job: JobChange | JobRemoval): boolean {
  const { ids, definitionIds, subject, correlationId, createdBy, fromId, beforeId, sources } = filter;
  return (
    job.tenantId === filter.tenantId &&
    (ids === null || ids.includes(job.jobId)) &&
    (definitionIds === null || definitionIds.includes(job.definitionId)) &&
    (subject === null || (job.subject?.type === subject.type && job.subject.id === subject.id)) &&
    (correlationId === null || job.correlationId === correlationId) &&
    (createdBy === null || job.createdBy === createdBy) &&
    (fromId === null || job.jobId >= fromId) &&
    (beforeId === null || job.jobId < beforeId) &&
    // What is kept of a deleted job does not say what asked for it.
    (sources === null || job.kind === 'removed' || (job.source !== undefined && sources.includes(job.source)))
  );
}

function defaultSinceSeconds(finishedAfter: Date | null | undefined): number {
  if (finishedAfter == null) return 3_600;
  // By the minute, so that those who ask for the same share a stream.
  const minutes = Math.ceil((Date.now() - finishedAfter.getTime()) / 60_000) + 1;
  return Math.min(MAX_SINCE_SECONDS, Math.max(0, 60 * minutes));
}

function uuidsOf(field: 'ids' | 'definitionIds', ids: readonly string[] | null | undefined): string[] | null {
  if (ids == null) return null;
  const distinct = distinctValues(`filter.${field}`, ids, MAX_LIST);
  for (const id of distinct) requireThat(isUuid(id), field, id.slice(0, 80), `at most ${MAX_LIST} UUIDs`);
  return distinct.map((id) => id.toLowerCase());
}

function requireThat(ok: boolean, field: string, value: unknown, allowed: string): void {
  if (ok) return;
  const message = `Feed filter: ${field} is ${JSON.stringify(value)}, allowed: ${allowed}`;
  throw new DomainError('InvalidArgument', message, { field: `filter.${field}`, allowed });
}
