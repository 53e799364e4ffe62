/**
 * Reasons by which the queue itself ends a queued job as `canceled`: a parent with policy `cancel` did not
 * succeed, one with policy `skip` did not, or the job had not started by `expiresAt`. A job canceled as
 * `skipped` counts as success for its own children, and jobs with the first two come back when the parent is
 * retried: so nobody else may give a reason by these names.
 */
export const SYSTEM_CANCEL_REASONS = ['parent_failed', 'skipped', 'expired'] as const;
export type SystemCancelReason = (typeof SYSTEM_CANCEL_REASONS)[number];

/** What is kept as the reason of a cancel: the person's own words, unless they are one of the queue's. */
export function storedReason(by: string, reason: string | null): string {
  if (reason === null) return `canceled by ${by}`;
  return (SYSTEM_CANCEL_REASONS as readonly string[]).includes(reason)
    ? `canceled by ${by}: ${reason}`
    : reason;
}
