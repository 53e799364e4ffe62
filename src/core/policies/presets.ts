import type { JobDefinition } from '../definition.ts';
import { DEFAULT_RETRY_POLICY } from '../retry.ts';

/**
 * The retry rules of the five systems that Millrace was made from, as data: spread one into
 * `defineJob({ key, payload, … })`. The numbers are theirs; what they leave open is said beside it.
 */
type Policy<Fields extends keyof JobDefinition> = Readonly<Pick<JobDefinition, Fields>>;

/** Call processing: 30 s, 60 s, 120 s … at most 600 s; 5 runs. */
export const CALLS_POLICY: Policy<'retryPolicy' | 'maxAttempts'> = {
  retryPolicy: { baseSeconds: 30, factor: 2, capSeconds: 600 },
  maxAttempts: 5,
};

/**
 * How often `transcribe_poll` looks whether the transcript is there (the call-processing system's contract
 * leaves the figure to its configuration).
 */
export const TRANSCRIBE_POLL_SECONDS = 10;

/**
 * `transcribe_poll`: the handler returns `snoozed(TRANSCRIBE_POLL_SECONDS)`, which spends no attempt, until
 * the deadline. Errors of the call itself retry as those of the other stages do. Its contract names no
 * deadline: six hours here.
 */
export const TRANSCRIBE_POLL_POLICY: Policy<
  'retryPolicy' | 'maxAttempts' | 'maxSnoozes' | 'snoozeDeadlineSeconds'
> = { ...CALLS_POLICY, maxSnoozes: null, snoozeDeadlineSeconds: 6 * 3600 };

/** Video search: 1, 5 and 15 minutes, ± 20 %; 4 runs, that is 3 retries. */
export const VIDEO_POLICY: Policy<'retryPolicy' | 'maxAttempts'> = {
  retryPolicy: { delaysSeconds: [60, 300, 900], jitter: 0.2 },
  maxAttempts: 4,
};

/**
 * The jobs library: 1, 1, 2, 4, 8 s … at most 60 s; 5 runs. `getBackoffDelayMs` is this policy as a function.
 */
export const LIBRARY_POLICY: Policy<'retryPolicy' | 'maxAttempts'> = {
  retryPolicy: { baseSeconds: 1, factor: 2, exponentOffset: -1, capSeconds: 60 },
  maxAttempts: 5,
};

/** Scraping (queue `scrape_jobs`): visibility timeout 120 s; a message is read 3 times at most. */
export const SCRAPE_POLICY: Policy<'retryPolicy' | 'maxAttempts' | 'leaseSeconds' | 'timeoutSeconds'> = {
  retryPolicy: { restOfLease: true },
  maxAttempts: 3,
  leaseSeconds: 120,
  // A message that is not done within its visibility timeout is read again: a run may not go on beyond it.
  timeoutSeconds: 120,
};

/** Enrichment (queue `enrich_jobs`): the same with 300 s. */
export const ENRICH_POLICY: Policy<'retryPolicy' | 'maxAttempts' | 'leaseSeconds' | 'timeoutSeconds'> = {
  ...SCRAPE_POLICY,
  leaseSeconds: 300,
  timeoutSeconds: 300,
};

/**
 * Allow-listed commands: exponential, 3 runs, an hour each. Its contract names no base: 1 s, at most 10 min,
 * ± 20 %.
 */
export const COMMANDS_POLICY: Policy<'retryPolicy' | 'maxAttempts' | 'timeoutSeconds'> = {
  retryPolicy: DEFAULT_RETRY_POLICY,
  maxAttempts: 3,
  timeoutSeconds: 3600,
};
