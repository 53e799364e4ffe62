/**
 * What `@millrace/client/react` offers. Whatever is exported here stays compatible within a major version.
 */
'use client';

export type { MillraceProviderProps } from './provider.ts';
export { MillraceProvider, useMillrace } from './provider.ts';
export type { UseBulkAction } from './use-bulk-action.ts';
export { useBulkAction } from './use-bulk-action.ts';
export type { UseCall } from './use-call.ts';
export { useCall } from './use-call.ts';
export type { UseCalls } from './use-calls.ts';
export { useCalls } from './use-calls.ts';
export type { UseClip } from './use-clip.ts';
export { useClip } from './use-clip.ts';
export type { UseClips } from './use-clips.ts';
export { useClips } from './use-clips.ts';
export type { UseEnqueue } from './use-enqueue.ts';
export { useEnqueue } from './use-enqueue.ts';
export type { UseJob } from './use-job.ts';
export { useJob } from './use-job.ts';
export type { UseJobArtifacts } from './use-job-artifacts.ts';
export { useJobArtifacts } from './use-job-artifacts.ts';
export type { UseJobLog } from './use-job-log.ts';
export { useJobLog } from './use-job-log.ts';
export type { UseJobSummary } from './use-job-summary.ts';
export { useJobSummary } from './use-job-summary.ts';
export type { UseJobs } from './use-jobs.ts';
export { useJobs } from './use-jobs.ts';
export type { UseSearch } from './use-search.ts';
export { useSearch } from './use-search.ts';
export type { UseUpload } from './use-upload.ts';
export { useUpload } from './use-upload.ts';
export type { UseVideo } from './use-video.ts';
export { useVideo } from './use-video.ts';
export type { UseVideos } from './use-videos.ts';
export { useVideos } from './use-videos.ts';
