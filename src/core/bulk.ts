/** Why a job of a selection was left as it is. */
export const SKIP_REASONS = [
  'ended',
  'asked_before',
  'succeeded',
  'queued',
  'still_running',
  'active_duplicate',
  'changed',
  'busy',
  'gone',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

/** What a verb did to one batch of a selection. */
export interface BatchCounts {
  /** Jobs that ended as `canceled`, or went back to the queue. */
  readonly changedCount: number;
  /** Running ones that were asked to stop. */
  readonly requestedCount: number;
  readonly skipped: SkipCounts;
}

/** Batches together. */
export function addCounts(batches: readonly BatchCounts[]): BatchCounts {
  const skipped: Partial<Record<SkipReason, number>> = {};
  for (const batch of batches) {
    for (const reason of SKIP_REASONS) {
      const count = batch.skipped[reason] ?? 0;
      if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
    }
  }
  return {
    changedCount: batches.reduce((sum, batch) => sum + batch.changedCount, 0),
    requestedCount: batches.reduce((sum, batch) => sum + batch.requestedCount, 0),
    skipped,
  };
}
