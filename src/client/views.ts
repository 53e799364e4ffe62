import { JobSet } from './job-set.ts';
import type { Job, JobLogLine, JobSummary } from './operations.gen.ts';
import type { WatchStatus } from './status.ts';
import type { StateReducer } from './view.ts';
import type { JobEvent } from './watch-jobs.ts';

/** The jobs of a watch, and how current they are. */
export interface JobsState {
  /** Newest first. */
  readonly jobs: readonly Job[];
  /** Whether this is all that matched a moment ago: false at the beginning, and after a cut until what was missed has come. */
  readonly isReady: boolean;
  /** False when more jobs match than are shown. */
  readonly isComplete: boolean;
  readonly connection: WatchStatus;
}

export function jobsReducer(maxJobs: number): StateReducer<JobEvent, JobsState> {
  const set = new JobSet(maxJobs);
  return {
    apply: (event) => set.apply(event),
    interrupted: () => set.interrupted(),
    state: (connection) => ({
      jobs: set.jobs(),
      isReady: set.isReady,
      isComplete: set.isComplete,
      connection,
    }),
  };
}

/** One thing as it is now: undefined before it has come, null once it is deleted. */
export interface NodeState<Value> {
  readonly value: Value | null | undefined;
  readonly connection: WatchStatus;
}

export function nodeReducer<Value>(): StateReducer<Value | null, NodeState<Value>> {
  let value: Value | null | undefined;
  return {
    apply: (next) => {
      value = next;
    },
    state: (connection) => ({ value, connection }),
  };
}

/** The end of a job's log. */
export interface LogState {
  /** Oldest first. */
  readonly lines: readonly JobLogLine[];
  /** Lines before those that are shown, which are no more kept. */
  readonly droppedCount: number;
  readonly connection: WatchStatus;
}

export function logReducer(maxLines: number): StateReducer<JobLogLine, LogState> {
  const lines: JobLogLine[] = [];
  let droppedCount = 0;
  return {
    apply: (line) => {
      // Dropped in lots: moving them all for each line would be slow.
      if (lines.push(line) > maxLines * 2) droppedCount += lines.splice(0, lines.length - maxLines).length;
    },
    state: (connection) => {
      const shown = lines.slice(-maxLines);
      return { lines: shown, droppedCount: droppedCount + lines.length - shown.length, connection };
    },
  };
}

/** The counts of a tenant's jobs: undefined before they have come. */
export interface SummaryState {
  readonly summary: JobSummary | undefined;
  readonly connection: WatchStatus;
}

export function summaryReducer(): StateReducer<JobSummary, SummaryState> {
  let summary: JobSummary | undefined;
  return {
    apply: (next) => {
      summary = next;
    },
    state: (connection) => ({ summary, connection }),
  };
}
