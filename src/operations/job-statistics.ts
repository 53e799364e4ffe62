import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type JobStatisticsRow, jobStatistics } from '../db/sql/read/job-statistics.ts';
import { SUMMARY_WINDOWS_SECONDS } from '../events/job-summary.ts';

/** How the newest jobs of a window went. */
export interface JobStatistics extends Omit<JobStatisticsRow, 'parts'> {
  readonly sinceSeconds: number;
  /** Equal parts of the window, the oldest first. */
  readonly intervals: readonly { readonly startsAt: Date; readonly ended: number; readonly failed: number }[];
}

/** Read per answer, so that a busy day costs no more than a quiet one. */
const MAX_JOBS = 5_000;
const INTERVALS = 60;
const MAX_FAILURES = 20;
const DEFAULT_SECONDS = 3_600;

/**
 * Waits, runs, throughput and errors of the jobs that ended within a window, of the newest 5,000 of them.
 * @throws DomainError `InvalidArgument` for a window that is not one of those of the summary
 */
export const readJobStatistics = defineUseCase(
  { name: 'readJobStatistics', role: 'member', scope: 'jobs:read', toDo: 'read jobs', cost: 50 },
  async (
    reads: ReadTransaction,
    _caller: Caller,
    sinceSeconds: number = DEFAULT_SECONDS,
  ): Promise<JobStatistics> => {
    if (!SUMMARY_WINDOWS_SECONDS.includes(sinceSeconds)) {
      const allowed = SUMMARY_WINDOWS_SECONDS.join(', ');
      throw new DomainError('InvalidArgument', `Statistics are of the last ${allowed} seconds.`, {
        field: 'sinceSeconds',
        allowed,
      });
    }
    const values = [sinceSeconds, MAX_JOBS, INTERVALS, MAX_FAILURES];
    const [row] = (await reads.query<JobStatisticsRow>(jobStatistics, values)) as [JobStatisticsRow];
    const { parts, ...found } = row;
    const byPart = new Map(parts.map((each) => [each.part, each]));
    const partMs = (sinceSeconds * 1_000) / INTERVALS;
    return {
      ...found,
      sinceSeconds,
      intervals: Array.from({ length: INTERVALS }, (_, index) => {
        const part = INTERVALS - 1 - index;
        const { ended = 0, failed = 0 } = byPart.get(part) ?? {};
        return { startsAt: new Date(row.counted_at.getTime() - (part + 1) * partMs), ended, failed };
      }),
    };
  },
);
