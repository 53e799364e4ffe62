import { LiveSet, type RowChange } from './live-set.ts';
import type { Call, Clip, Job, JobLogLine, JobSummary, Video } from './operations.gen.ts';
import type { WatchStatus } from './status.ts';
import type { StateReducer } from './view.ts';
import { type JobEvent, jobChangeOf } from './watch-jobs.ts';
import {
  type CallEvent,
  type ClipEvent,
  callChangeOf,
  clipChangeOf,
  type VideoEvent,
  videoChangeOf,
} from './watch-media.ts';

/** How current a list is. */
export interface ListState {
  /**
   * Whether this is all that matched a moment ago: false at the beginning, and after a cut until what was
   * missed has come.
   */
  readonly isReady: boolean;
  /** False when more match than are shown. */
  readonly isComplete: boolean;
  readonly connection: WatchStatus;
}

/** The jobs of a watch, and how current they are. */
export interface JobsState extends ListState {
  /** Newest first. */
  readonly jobs: readonly Job[];
}

/** The videos of a watch, and how current they are. */
export interface VideosState extends ListState {
  /** Newest first. */
  readonly videos: readonly Video[];
}

/** The clips of a watch, and how current they are. */
export interface ClipsState extends ListState {
  /** Newest first. */
  readonly clips: readonly Clip[];
}

/** The calls of a watch, and how current they are. */
export interface CallsState extends ListState {
  /** Newest first. */
  readonly calls: readonly Call[];
}

export function jobsReducer(maxJobs: number): StateReducer<JobEvent, JobsState> {
  const set = new LiveSet<Job>(maxJobs, ({ isFinal }) => isFinal);
  return listReducer(set, jobChangeOf, (jobs) => ({ jobs }));
}

export function videosReducer(maxVideos: number): StateReducer<VideoEvent, VideosState> {
  const set = new LiveSet<Video>(maxVideos, ({ status }) => status === 'READY' || status === 'FAILED');
  return listReducer(set, videoChangeOf, (videos) => ({ videos }));
}

export function clipsReducer(maxClips: number): StateReducer<ClipEvent, ClipsState> {
  const set = new LiveSet<Clip>(maxClips, ({ status }) => status !== 'QUEUED' && status !== 'RUNNING');
  return listReducer(set, clipChangeOf, (clips) => ({ clips }));
}

export function callsReducer(maxCalls: number): StateReducer<CallEvent, CallsState> {
  const set = new LiveSet<Call>(maxCalls, ({ status }) => status === 'READY' || status === 'FAILED');
  return listReducer(set, callChangeOf, (calls) => ({ calls }));
}

function listReducer<Row extends Job | Video | Clip | Call, Event, Rows>(
  set: LiveSet<Row>,
  changeOf: (event: Event) => RowChange<Row>,
  named: (rows: readonly Row[]) => Rows,
): StateReducer<Event, Rows & ListState> {
  return {
    apply: (event) => set.apply(changeOf(event)),
    interrupted: () => set.interrupted(),
    state: (connection) => ({
      ...named(set.rows()),
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
