import type { CallOptions } from './calls.ts';
import type {
  BulkAction,
  Call,
  CallChangesFilter,
  Clip,
  ClipChangesFilter,
  EnqueueJobInput,
  ImportVideoInput,
  JobArtifactsResult,
  JobArtifactsVariables,
  JobChangesFilter,
  JobDetails,
  JobLogLine,
  JobSummary,
  ReplayJobInput,
  RequestClipInput,
  SearchVideosResult,
  SearchVideosVariables,
  StartBulkActionInput,
  Video,
  VideoChangesFilter,
} from './operations.gen.ts';
import type { WatchOptions } from './status.ts';
import type { UploadVideoOptions } from './upload-video.ts';
import type { View } from './view.ts';
import type {
  CallsState,
  ClipsState,
  JobsState,
  LogState,
  NodeState,
  SummaryState,
  VideosState,
} from './views.ts';
import type { Watch } from './watch.ts';
import type { JobEvent } from './watch-jobs.ts';
import type { CallEvent, ClipEvent, VideoEvent } from './watch-media.ts';

/** What a replay has in place of what the ended job had. */
export type ReplayOptions = CallOptions & Omit<ReplayJobInput, 'id'>;

/** Options of a live list of jobs, videos, clips or calls. */
export type WatchListOptions = WatchOptions & {
  /**
   * Go on from here, a `cursor` of an earlier watch of the same filter: no initial state, all changes since.
   */
  readonly after?: string | null | undefined;
};

export type WatchJobOptions = WatchOptions & {
  /** End once the job has ended; otherwise an operator's retry is seen as well. */
  readonly untilFinal?: boolean | undefined;
};

export type WatchClipOptions = WatchOptions & {
  /**
   * End once the clip is ready or has failed; otherwise a later request for the same clip is seen as well.
   */
  readonly untilFinal?: boolean | undefined;
};

/** Which of a job's files: those of one `kind`, how many, and behind which cursor. */
export type JobArtifactOptions = CallOptions & Omit<JobArtifactsVariables, 'id'>;

/** A page of the files that a job made. */
export type JobArtifactPage = NonNullable<JobArtifactsResult['job']>['artifacts'];

/** Which videos, as `searchVideos` takes it. */
export type SearchInput = SearchVideosVariables;

/** A page of found videos. */
export type SearchPage = NonNullable<SearchVideosResult['searchVideos']>;

export type WatchJobLogOptions = WatchOptions & {
  /** Only lines after this one: the `cursor` of a line, or of an earlier watch. */
  readonly after?: string | null | undefined;
  /** End once the job has ended and all its lines have come; true by default. */
  readonly untilFinal?: boolean | undefined;
};

export type WatchSummaryOptions = WatchOptions & {
  /** The window of finished jobs: 60, 300, 900, 3600 (default), 21600 or 86400 seconds. */
  readonly sinceSeconds?: number | undefined;
};

/** Ids are global ids or UUIDs. Whatever fails is a `MillraceError`. */
export interface MillraceClient {
  /**
   * The jobs that match and every change of them, as events. Nothing is missed, whatever breaks; some may
   * come twice.
   */
  watchJobs(filter?: JobChangesFilter | null, options?: WatchListOptions): Watch<JobEvent>;
  /** A job as it is now, then at every change; null when it was deleted, which ends it. */
  watchJob(id: string, options?: WatchJobOptions): Watch<JobDetails | null>;
  /** The videos that match, then every change of one; as `watchJobs`. */
  watchVideos(filter?: VideoChangesFilter | null, options?: WatchListOptions): Watch<VideoEvent>;
  /** The clips that match, then every change of one; as `watchJobs`. */
  watchClips(filter?: ClipChangesFilter | null, options?: WatchListOptions): Watch<ClipEvent>;
  /** The calls that match, then every change of one; as `watchJobs`. */
  watchCalls(filter?: CallChangesFilter | null, options?: WatchListOptions): Watch<CallEvent>;
  /**
   * A video as it is now, then at every change of it or of the work on it; null when it was deleted, which
   * ends it.
   */
  watchVideo(id: string, options?: WatchOptions): Watch<Video | null>;
  /**
   * A call as it is now, then at every change of it or of the work on it; null when it was deleted, which
   * ends it.
   */
  watchCall(id: string, options?: WatchOptions): Watch<Call | null>;
  /** A clip as it is now, then at every change; null when it was deleted, which ends it. */
  watchClip(id: string, options?: WatchClipOptions): Watch<Clip | null>;
  /** A cancel or retry of many jobs as it is now, then at every change, to its end; null when it is gone. */
  watchBulkAction(id: string, options?: WatchOptions): Watch<BulkAction | null>;
  /**
   * The lines that a job's handler writes, those that are stored and those that come, in their order and none
   * left out.
   */
  watchJobLog(id: string, options?: WatchJobLogOptions): Watch<JobLogLine>;
  /** How many jobs stand where, now and whenever the counts have changed. */
  watchJobSummary(options?: WatchSummaryOptions): Watch<JobSummary>;

  /**
   * The jobs of `watchJobs` as a set that keeps itself current, at most `maxJobs` of them (10000). To be
   * closed.
   */
  viewJobs(filter?: JobChangesFilter | null, options?: { readonly maxJobs?: number }): View<JobsState>;
  /** The videos of `watchVideos`, at most `maxVideos` of them (10000). To be closed. */
  viewVideos(
    filter?: VideoChangesFilter | null,
    options?: { readonly maxVideos?: number },
  ): View<VideosState>;
  /** The clips of `watchClips`, at most `maxClips` of them (10000). To be closed. */
  viewClips(filter?: ClipChangesFilter | null, options?: { readonly maxClips?: number }): View<ClipsState>;
  /** The calls of `watchCalls`, at most `maxCalls` of them (10000). To be closed. */
  viewCalls(filter?: CallChangesFilter | null, options?: { readonly maxCalls?: number }): View<CallsState>;
  /** The same of one job. To be closed. */
  viewJob(id: string): View<NodeState<JobDetails>>;
  /**
   * The same of its log, the last `maxLines` of it (1000), from its beginning or after the cursor of a line.
   * To be closed.
   */
  viewJobLog(
    id: string,
    options?: { readonly maxLines?: number; readonly after?: string | null },
  ): View<LogState>;

  /** The same of a bulk action. To be closed. */
  viewBulkAction(id: string): View<NodeState<BulkAction>>;
  /** The same of a video. To be closed. */
  viewVideo(id: string): View<NodeState<Video>>;
  /** The same of a clip. To be closed. */
  viewClip(id: string): View<NodeState<Clip>>;
  /** The same of a call. To be closed. */
  viewCall(id: string): View<NodeState<Call>>;
  /** The same of the counts. To be closed. */
  viewJobSummary(options?: Pick<WatchSummaryOptions, 'sinceSeconds'>): View<SummaryState>;

  /** Enqueues a job. `isNew` is false when an active one with the same dedupe key was there already. */
  enqueue(
    input: EnqueueJobInput,
    options?: CallOptions,
  ): Promise<{ readonly job: JobDetails; readonly isNew: boolean }>;
  /** One job; null when it is not there. */
  job(id: string, options?: CallOptions): Promise<JobDetails | null>;
  /**
   * The files that a job made, by kind and name, each with a signed URL; null when the job is not there. Go
   * on with `after: page.pageInfo.endCursor`.
   */
  jobArtifacts(id: string, options?: JobArtifactOptions): Promise<JobArtifactPage | null>;
  /** Cancels a queued job; asks a running one to stop, and then says so in `isCancelRequested`. */
  cancelJob(
    id: string,
    options?: CallOptions & { readonly reason?: string },
  ): Promise<{ readonly job: JobDetails; readonly isCancelRequested: boolean }>;
  /** Puts an ended job back into the queue. */
  retryJob(id: string, options?: CallOptions): Promise<JobDetails>;
  /**
   * Begins to cancel or retry all jobs that a filter chooses; it goes on by itself. Watch it with
   * `watchBulkAction`.
   */
  startBulkAction(input: StartBulkActionInput, options?: CallOptions): Promise<BulkAction>;
  /** Ends a bulk action after the batch under way; what it has done stays done. */
  stopBulkAction(id: string, options?: CallOptions): Promise<void>;
  /** Makes a new job from an ended one, with its payload or another. @returns the new job */
  replayJob(id: string, options?: ReplayOptions): Promise<JobDetails>;
  /** Videos by what was read in their pictures, best first. Go on with `after: page.pageInfo.endCursor`. */
  searchVideos(input: SearchInput, options?: CallOptions): Promise<SearchPage>;
  /**
   * Asks for a piece of a video, or of a call’s sound. `isNew` is false when it was there already, or is just
   * being made.
   */
  requestClip(
    input: RequestClipInput,
    options?: CallOptions,
  ): Promise<{ readonly clip: Clip; readonly isNew: boolean }>;
  /**
   * Creates a video and uploads its file in pieces, going on where a connection broke. @returns it once its
   * last byte has arrived
   */
  uploadVideo(file: Blob, options?: UploadVideoOptions): Promise<Video>;
  /** Makes a video of a file at a public address, which the server fetches. @returns its ids, before that */
  importVideo(input: ImportVideoInput, options?: CallOptions): Promise<Pick<Video, 'id' | 'uuid'>>;
  /** Any other query or mutation. @returns its data, which is not checked */
  request<Data>(document: string, variables?: object, options?: CallOptions): Promise<Data>;

  /**
   * Leaves every stream and the connection, for a page that nobody looks at. What the views show stays; calls
   * are made as before, and streams that are opened meanwhile wait.
   */
  suspend(): void;
  /** Goes on with every stream from where it was left: nothing of a list or a log is missed. */
  resume(): void;
  /** Ends every watch with `CLOSED` and the connection. */
  close(): void;
}
