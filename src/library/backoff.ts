import type { JobStatus as EngineStatus } from '../core/job.ts';
import { LIBRARY_POLICY } from '../core/policies/presets.ts';
import { retryDelaySeconds } from '../core/retry.ts';

/** Where a job stands in the library's words. */
export type JobStatus = 'queued' | 'running' | 'success' | 'failed';

/** Runs in all, the first included. */
export const DEFAULT_MAX_ATTEMPTS: number = LIBRARY_POLICY.maxAttempts;

/**
 * How long a job waits after a failure: 1 s for 0 and 1 attempts, 2 s for 2, 4 s for 3, 8 s for 4 … at most
 * 60 s.
 * @param attempts runs that had failed before the one that fails now
 * @returns milliseconds
 */
export function getBackoffDelayMs(attempts: number): number {
  return 1000 * retryDelaySeconds(LIBRARY_POLICY.retryPolicy, Number.isNaN(attempts) ? 0 : attempts, 0.5);
}

/**
 * Whether a job may run again: never when it has succeeded or is running, else while it has attempts
 * left.
 * @param attempts runs that have failed, the one that has just failed included
 * @param maxAttempts runs in all, 5 by default
 */
export function canRetry(
  status: JobStatus,
  attempts: number,
  maxAttempts: number = DEFAULT_MAX_ATTEMPTS,
): boolean {
  return status !== 'success' && status !== 'running' && attempts < maxAttempts;
}

/** The library's word for a status of the engine: whatever ended without success is `failed`. */
export function toLibraryStatus(status: EngineStatus): JobStatus {
  if (status === 'queued' || status === 'running') return status;
  return status === 'succeeded' ? 'success' : 'failed';
}
