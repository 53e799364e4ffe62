import type { JobStatus } from './job.ts';

/**
 * The legal moves of a job. The database refuses every other one by itself (trigger `jobs_legal_move` in the
 * first migration), so a test compares the two; `docs/states.md` draws this table.
 */
export const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['running', 'canceled'],
  // Back to queued: retry, snooze, hand-back at shutdown, lost lease.
  running: ['succeeded', 'failed', 'dead_letter', 'canceled', 'queued'],
  succeeded: [],
  // An operator's retry.
  failed: ['queued'],
  dead_letter: ['queued'],
  canceled: ['queued'],
};

/** Statuses from which a job does not move by itself. */
export const FINAL_STATUSES = ['succeeded', 'failed', 'canceled', 'dead_letter'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** True when the job will not move again unless an operator retries it. */
export function isFinal(status: JobStatus): status is FinalStatus {
  return (FINAL_STATUSES as readonly JobStatus[]).includes(status);
}

/** True when a job may go from one status to the other; staying in place is always allowed. */
export function isLegalMove(from: JobStatus, to: JobStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}
