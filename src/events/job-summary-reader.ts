import type { Database } from '../db/database.ts';
import { countJobs, type JobCountRow } from '../db/sql/feed/count-jobs.ts';
import { limitStatementTime } from '../db/sql/feed/limit-statement-time.ts';
import { type JobSummary, MAX_ACTIVE, MAX_FINISHED, toSummary } from './job-summary.ts';
import { Semaphore } from './semaphore.ts';

/** Summaries by window, and what they cost. */
export interface Counted {
  readonly bySeconds: ReadonlyMap<number, JobSummary>;
  /** Time that the database took, without the waiting for room. */
  readonly tookMs: number;
}

/**
 * Countings that run at a time, of all tenants: counts that are watched must not take the connections of jobs
 * that run.
 */
const COUNTINGS_AT_A_TIME = 2;
const COUNTING_TIMEOUT_MS = 5_000;

/** Counts one tenant's jobs under its row security. */
export class JobSummaryReader {
  readonly #database: Database;
  readonly #semaphore = new Semaphore(COUNTINGS_AT_A_TIME);
  #countingCount = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Countings begun since the start. */
  get countingCount(): number {
    return this.#countingCount;
  }

  /** One statement for all the windows. It is canceled after 5 s, with SQLSTATE 57014. */
  count(tenantId: string, windowsSeconds: readonly number[]): Promise<Counted> {
    return this.#semaphore.run(async () => {
      this.#countingCount++;
      const startedMs = performance.now();
      const rows = await this.#rows(tenantId, windowsSeconds);
      const bySeconds = new Map(windowsSeconds.map((seconds) => [seconds, toSummary(rows, seconds)]));
      return { bySeconds, tookMs: performance.now() - startedMs };
    });
  }

  #rows(tenantId: string, windowsSeconds: readonly number[]): Promise<readonly JobCountRow[]> {
    return this.#database.transaction({ role: 'api', tenantId, readOnly: true }, async (tx) => {
      await tx.query(limitStatementTime, [COUNTING_TIMEOUT_MS]);
      const { rows } = await tx.query<JobCountRow>(countJobs, [
        tenantId,
        windowsSeconds,
        MAX_ACTIVE,
        MAX_FINISHED,
      ]);
      return rows;
    });
  }
}
