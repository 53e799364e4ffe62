/**
 * What `millrace/client` offers: watch jobs from a browser or from Node, over whatever the network does.
 * Whatever is exported here stays compatible within a major version.
 */
export type { Backoff } from './backoff.ts';
export type { CallOptions } from './calls.ts';
export type {
  JobArtifactOptions,
  JobArtifactPage,
  MillraceClient,
  ReplayOptions,
  SearchInput,
  SearchPage,
  WatchClipOptions,
  WatchJobLogOptions,
  WatchJobOptions,
  WatchListOptions,
  WatchSummaryOptions,
} from './client.ts';
export { createMillraceClient } from './create-client.ts';
export { clientDocuments } from './documents.ts';
export type { MillraceErrorDetails, PayloadProblem, Recovery } from './error.ts';
export { MillraceError } from './error.ts';
export type {
  BulkAction,
  BulkActionStatus,
  BulkVerb,
  Call,
  CallChangesFilter,
  CallStatus,
  Clip,
  ClipChangesFilter,
  ClipStatus,
  EnqueueJobInput,
  ImportVideoInput,
  Job,
  JobArtifact,
  JobChangesFilter,
  JobDetails,
  JobError,
  JobLogLevel,
  JobLogLine,
  JobProgress,
  JobStatus,
  JobStatusCounts,
  JobSubjectInput,
  JobSummary,
  RequestClipInput,
  SearchFilter,
  SearchHit,
  SearchResult,
  SkipReason,
  StartBulkActionInput,
  Video,
  VideoChangesFilter,
  VideoStatus,
} from './operations.gen.ts';
export type { MillraceClientOptions } from './options.ts';
export type { WatchOptions, WatchState, WatchStatus } from './status.ts';
export type { TokenSource } from './token.ts';
export type { UploadProgress, UploadStorage, UploadVideoOptions } from './upload-video.ts';
export type { View } from './view.ts';
export type {
  CallsState,
  ClipsState,
  JobsState,
  ListState,
  LogState,
  NodeState,
  SummaryState,
  VideosState,
} from './views.ts';
export type { Watch } from './watch.ts';
export type { JobEvent } from './watch-jobs.ts';
export type { CallEvent, ClipEvent, VideoEvent } from './watch-media.ts';
