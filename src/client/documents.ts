import {
  BulkActionChanged,
  CallChanged,
  CallChanges,
  CancelJob,
  ClipChanged,
  ClipChanges,
  CreateVideo,
  EnqueueJob,
  FindJob,
  FindVideo,
  ImportVideo,
  JobArtifacts,
  JobChanged,
  JobChanges,
  JobLog,
  JobSummaryChanged,
  ReplayJob,
  RequestClip,
  RetryJob,
  SearchVideos,
  StartBulkAction,
  StopBulkAction,
  VideoChanged,
  VideoChanges,
} from './operations.gen.ts';

const OPERATIONS = [
  BulkActionChanged,
  CallChanged,
  CallChanges,
  CancelJob,
  ClipChanged,
  ClipChanges,
  CreateVideo,
  EnqueueJob,
  FindJob,
  FindVideo,
  JobArtifacts,
  JobChanged,
  JobChanges,
  JobLog,
  JobSummaryChanged,
  ReplayJob,
  ImportVideo,
  RequestClip,
  RetryJob,
  SearchVideos,
  StartBulkAction,
  StopBulkAction,
  VideoChanged,
  VideoChanges,
];

/**
 * Every document that the client sends, by its name: what to register for keys that take registered
 * operations only.
 */
export const clientDocuments: Readonly<Record<string, string>> = Object.fromEntries(
  OPERATIONS.map(({ name, text }) => [name, text]),
);
