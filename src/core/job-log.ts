/** Levels of a job's log lines, the least important first. */
export const JOB_LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type JobLogLevel = (typeof JOB_LOG_LEVELS)[number];

/** Longest message of one line, in characters; of a longer one head and tail are kept. */
export const MAX_LOG_MESSAGE_LENGTH = 8_192;
/** Longest `data` of one line, in characters of its JSON; of longer ones the head is kept, as text. */
export const MAX_LOG_DATA_LENGTH = 8_192;

/** What of the handlers' lines is stored. */
export interface JobLogLimits {
  /** Least level that is stored; `off` stores nothing. */
  readonly level: JobLogLevel | 'off';
  /** Lines of one run. More are dropped and counted. */
  readonly maxLines: number;
  /** Bytes of one run's messages and data, as UTF-8. */
  readonly maxBytes: number;
  /**
   * Memory that unsent lines of all runs of a process may take. What comes beyond is dropped, marked and
   * counted.
   */
  readonly maxPendingBytes: number;
}

export const DEFAULT_JOB_LOG_LIMITS: JobLogLimits = {
  level: 'info',
  maxLines: 100_000,
  maxBytes: 16 * 1024 * 1024,
  maxPendingBytes: 32 * 1024 * 1024,
};

/** A line's place in its job's log: by run, then by line, each from 1 and without gaps. */
export interface LogPosition {
  readonly runNo: number;
  readonly lineNo: number;
}

/** Before every line. */
export const LOG_START: LogPosition = { runNo: 0, lineNo: 0 };

/** Negative when `one` comes before `other`. */
export function compareLogPositions(one: LogPosition, other: LogPosition): number {
  return one.runNo - other.runNo || one.lineNo - other.lineNo;
}
