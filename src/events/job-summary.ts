import { DomainError } from '../core/errors.ts';
import { JOB_STATUSES, type JobStatus } from '../core/job.ts';
import type { JobCountRow } from '../db/sql/feed/count-jobs.ts';

export type StatusCounts = Readonly<Record<JobStatus, number>>;

/** How many jobs of one tenant stand where: the active ones, and those that ended in a window of time. */
export interface JobSummary {
  readonly sinceSeconds: number;
  readonly countedAt: Date;
  /**
   * All jobs that ended from this time on are counted: the window's start, or a later time where it holds
   * `MAX_FINISHED` or more.
   */
  readonly finishedSince: Date;
  /** False when more than `MAX_ACTIVE` of a kind are queued or running: then there are at least that many. */
  readonly isComplete: boolean;
  readonly counts: StatusCounts;
  /**
   * Since when the oldest queued job could have run that nobody has taken; null when none waits for a worker.
   */
  readonly oldestQueuedAt: Date | null;
  /** Those with any, by key. */
  readonly definitions: readonly DefinitionSummary[];
}

interface DefinitionSummary {
  readonly definitionKey: string;
  readonly counts: StatusCounts;
  /** As that of all, of its jobs alone. */
  readonly oldestQueuedAt: Date | null;
}

/** What a stream of summaries yields; each stands for the whole. */
export interface SummaryEvent {
  readonly kind: 'summary';
  readonly tenantId: string;
  readonly summary: JobSummary;
}

/**
 * Windows that one may ask for. A few, so that all watchers of a tenant share their counting: each further
 * window is another pass over what has finished in it.
 */
export const SUMMARY_WINDOWS_SECONDS: readonly number[] = [60, 300, 900, 3_600, 21_600, 86_400];
const DEFAULT_WINDOW_SECONDS = 3_600;

/** Measured at about 0.3 µs a job from the index alone. */
export const MAX_ACTIVE = 1_000_000;
/** Measured at about 0.6 µs a job, whose rows must be visited. */
export const MAX_FINISHED = 100_000;

/** @throws DomainError `InvalidArgument` naming `sinceSeconds` and what is allowed */
export function checkWindow(sinceSeconds: number | null | undefined): number {
  if (sinceSeconds == null) return DEFAULT_WINDOW_SECONDS;
  if (SUMMARY_WINDOWS_SECONDS.includes(sinceSeconds)) return sinceSeconds;
  const allowed = `one of ${SUMMARY_WINDOWS_SECONDS.join(', ')}`;
  throw new DomainError('InvalidArgument', `sinceSeconds is ${sinceSeconds}; allowed: ${allowed}.`, {
    field: 'sinceSeconds',
    allowed,
  });
}

/** The summary of one window out of what was counted for several. */
export function toSummary(rows: readonly JobCountRow[], sinceSeconds: number): JobSummary {
  const countedAt = rows.find(({ status }) => status === 'clock')?.earliest;
  if (countedAt == null) throw new TypeError('count_jobs gave no row with its time');
  const counts = noCounts();
  const byKey = new Map<string, Record<JobStatus, number>>();
  const cutAt = rows.find((row) => row.status === 'cut' && row.since_seconds === sinceSeconds)?.earliest;
  let oldestQueuedAt: Date | null = null;
  const oldestOf = new Map<string, Date>();
  for (const row of rows) {
    const isOther = row.since_seconds !== null && row.since_seconds !== sinceSeconds;
    if (row.definition_key === null || isOther) continue;
    const ofKey = byKey.get(row.definition_key) ?? noCounts();
    byKey.set(row.definition_key, ofKey);
    ofKey[row.status as JobStatus] += row.job_count;
    counts[row.status as JobStatus] += row.job_count;
    if (row.status !== 'queued' || row.earliest === null) continue;
    const oldest = oldestOf.get(row.definition_key);
    if (oldest === undefined || row.earliest < oldest) oldestOf.set(row.definition_key, row.earliest);
    if (oldestQueuedAt === null || row.earliest < oldestQueuedAt) oldestQueuedAt = row.earliest;
  }
  return {
    sinceSeconds,
    countedAt,
    finishedSince: cutAt ?? new Date(countedAt.getTime() - sinceSeconds * 1_000),
    isComplete: counts.queued < MAX_ACTIVE && counts.running < MAX_ACTIVE,
    counts,
    oldestQueuedAt,
    definitions: [...byKey]
      .map(([definitionKey, ofKey]) => ({
        definitionKey,
        counts: ofKey,
        oldestQueuedAt: oldestOf.get(definitionKey) ?? null,
      }))
      .sort((one, other) => (one.definitionKey < other.definitionKey ? -1 : 1)),
  };
}

/** True when both say the same but for the time at which they say it. */
export function saysTheSame(one: JobSummary, other: JobSummary): boolean {
  const said = ({ sinceSeconds, isComplete, counts, oldestQueuedAt, definitions }: JobSummary): string =>
    JSON.stringify([sinceSeconds, isComplete, counts, oldestQueuedAt, definitions]);
  return said(one) === said(other);
}

/** True when time alone will change the counts: finished jobs leave the window. */
export function isAgeing({ counts }: JobSummary): boolean {
  return counts.succeeded + counts.failed + counts.canceled + counts.dead_letter > 0;
}

function noCounts(): Record<JobStatus, number> {
  return Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as Record<JobStatus, number>;
}
