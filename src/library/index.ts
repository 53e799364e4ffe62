/**
 * `millrace/manual`: what a program needs that enqueues jobs and runs them in a loop of its own. See
 * docs/library.md. Whatever is exported here stays compatible within a major version.
 */
export {
  CALLS_POLICY,
  COMMANDS_POLICY,
  ENRICH_POLICY,
  LIBRARY_POLICY,
  SCRAPE_POLICY,
  TRANSCRIBE_POLL_POLICY,
  TRANSCRIBE_POLL_SECONDS,
  VIDEO_POLICY,
} from '../core/policies/presets.ts';
export type { TickResult } from '../core/tick.ts';
export {
  canRetry,
  DEFAULT_MAX_ATTEMPTS,
  getBackoffDelayMs,
  type JobStatus,
  toLibraryStatus,
} from './backoff.ts';
export type {
  ClaimedLibraryJob,
  EnqueueJobInput,
  JobQueue,
  JobsRepository,
  NewQueueJob,
  OpenJobs,
  OpenJobsOptions,
  QueueJob,
} from './contract.ts';
export { makeJobDedupeKey } from './dedupe-key.ts';
export { openJobs } from './open-jobs.ts';
export { type JobsTickOptions, runJobsTick } from './run-jobs-tick.ts';
