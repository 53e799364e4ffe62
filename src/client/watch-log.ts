import {
  JobLog,
  type JobLogLine,
  type JobLogResult,
  type JobLogVariables,
  type JobSummary,
  JobSummaryChanged,
  type JobSummaryChangedResult,
  type JobSummaryChangedVariables,
} from './operations.gen.ts';
import type { StreamSpec, Taken } from './stream-spec.ts';

/** The course of a job's log: each line once, in their order. */
export class JobLogStreamSpec implements StreamSpec<JobLogResult, JobLogVariables, JobLogLine> {
  readonly operation = JobLog;
  readonly #id: string;
  readonly #untilFinal: boolean;
  #after: string | null;

  constructor(id: string, after: string | null, untilFinal: boolean) {
    this.#id = id;
    this.#after = after;
    this.#untilFinal = untilFinal;
  }

  get cursor(): string | null {
    return this.#after;
  }

  variables(): JobLogVariables {
    return { id: this.#id, after: this.#after, untilFinal: this.#untilFinal };
  }

  take({ jobLog }: JobLogResult): Taken<JobLogLine> {
    this.#after = jobLog.cursor;
    return { values: jobLog.lines, isLast: jobLog.isEnd };
  }

  goOnFrom(cursor: string): void {
    this.#after = cursor;
  }
}

/** The course of the counts: each event is the whole, so a new connection has missed nothing. */
export function summaryStreamSpec(
  sinceSeconds: number | undefined,
): StreamSpec<JobSummaryChangedResult, JobSummaryChangedVariables, JobSummary> {
  return {
    operation: JobSummaryChanged,
    variables: () => ({ sinceSeconds }),
    take: ({ jobSummary }) => ({ values: [jobSummary] }),
  };
}
