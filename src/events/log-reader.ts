import type { JobLogLevel, LogPosition } from '../core/job-log.ts';
import type { Database } from '../db/database.ts';
import { findGrownLogs, type GrownLogRow } from '../db/sql/feed/find-grown-logs.ts';
import { type JobLogRow, readJobLog } from '../db/sql/feed/read-job-log.ts';

/** A stored line of a job's log. */
export interface StoredLogLine extends LogPosition {
  readonly level: JobLogLevel;
  readonly message: string;
  readonly data: unknown;
  readonly loggedAt: Date;
}

/** Lines after a place, and what the same snapshot shows of their job. */
export interface LogPage {
  readonly lines: readonly StoredLogLine[];
  /** There may be more after these. */
  readonly isFull: boolean;
  readonly job: 'active' | 'final' | 'gone';
}

/**
 * What one statement reads at most: a reader at the beginning of a long log asks as rarely as it can, also
 * where lines are long.
 */
export const LOG_PAGE_LINES = 1_000;
const LOG_PAGE_BYTES = 512 * 1024;

/** Reads the logs of jobs from the table. */
export class LogReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The lines that follow a place, under the tenant's row security. */
  async page(
    tenantId: string,
    jobId: string,
    after: LogPosition,
    limit: number = LOG_PAGE_LINES,
  ): Promise<LogPage> {
    const { rows } = await this.#database.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
      tx.query<JobLogRow>(readJobLog, [tenantId, jobId, after.runNo, after.lineNo, limit, LOG_PAGE_BYTES]),
    );
    const lines = rows.flatMap((row) => (row.run_no === null ? [] : [toLine(row)]));
    const job = rows.find((row) => row.is_final !== null);
    const last = rows.at(-1);
    const bytes = last === undefined || last.run_no === null ? 0 : last.bytes;
    return {
      lines: job === undefined ? [] : lines,
      isFull: lines.length === limit || bytes >= LOG_PAGE_BYTES,
      job: job === undefined ? 'gone' : job.is_final === true ? 'final' : 'active',
    };
  }

  /** Which of these logs go on after the places given. */
  async grown(logs: readonly { readonly jobId: string; readonly end: LogPosition }[]): Promise<string[]> {
    const { rows } = await this.#database.asWorker<GrownLogRow>(findGrownLogs, [
      logs.map(({ jobId }) => jobId),
      logs.map(({ end }) => end.runNo),
      logs.map(({ end }) => end.lineNo),
    ]);
    return rows.map((row) => row.job_id);
  }
}

function toLine(row: Extract<JobLogRow, { readonly run_no: number }>): StoredLogLine {
  return {
    runNo: row.run_no,
    lineNo: row.line_no,
    level: row.level as JobLogLevel,
    message: row.message,
    data: row.data,
    loggedAt: row.logged_at,
  };
}
