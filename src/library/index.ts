/** The jobs library: what a program needs that enqueues and runs jobs by hand. See docs/library.md. */
export type { TickResult } from '../core/tick.ts';
export {
  canRetry,
  DEFAULT_MAX_ATTEMPTS,
  getBackoffDelayMs,
  type JobStatus,
  toLibraryStatus,
} from './backoff.ts';
export type { JobQueue, NewQueueJob, QueueJob } from './call-queue.ts';
export { makeJobDedupeKey } from './dedupe-key.ts';
export type { ClaimedLibraryJob, EnqueueJobInput, JobsRepository } from './jobs-repository.ts';
export { type OpenJobs, type OpenJobsOptions, openJobs } from './open-jobs.ts';
export { type JobsTickOptions, runJobsTick } from './run-jobs-tick.ts';
