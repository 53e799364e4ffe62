import type { MillraceClient } from '../../src/client/index.ts';
import {
  CancelJobs,
  type CancelJobsResult,
  type JobFilter,
  RetryJobs,
  type RetryJobsResult,
  type SkipReason,
} from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';

export interface BulkProgress {
  readonly matched: number;
  readonly changed: number;
  /** Running jobs that were asked to stop. */
  readonly requested: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly isDone: boolean;
}

type BatchResult =
  | Extract<CancelJobsResult['cancelJobs'], { readonly __typename: 'CancelJobsPayload' }>
  | Extract<RetryJobsResult['retryJobs'], { readonly __typename: 'RetryJobsPayload' }>;

const NOTHING: BulkProgress = { matched: 0, changed: 0, requested: 0, skipped: {}, isDone: false };

/** Cancels or retries everything that a filter names, one batch after another. @throws MillraceError */
export async function* runBulk(
  client: MillraceClient,
  act: 'cancel' | 'retry',
  filter: JobFilter,
  reason: string,
  signal: AbortSignal,
): AsyncGenerator<BulkProgress> {
  let progress = NOTHING;
  let after: string | null = null;
  do {
    const result: BatchResult = await batch(client, act, { filter, after }, reason, signal);
    const skipped: Partial<Record<SkipReason, number>> = { ...progress.skipped };
    for (const { reason: why, count } of result.skipped) skipped[why] = (skipped[why] ?? 0) + count;
    progress = {
      matched: progress.matched + result.matchedCount,
      changed: progress.changed + ('canceledCount' in result ? result.canceledCount : result.retriedCount),
      requested: progress.requested + ('requestedCount' in result ? result.requestedCount : 0),
      skipped,
      isDone: !(result.hasMore || result.isPartial) || result.endCursor === null,
    };
    after = result.endCursor;
    yield progress;
  } while (!progress.isDone);
}

async function batch(
  client: MillraceClient,
  act: 'cancel' | 'retry',
  input: { readonly filter: JobFilter; readonly after: string | null },
  reason: string,
  signal: AbortSignal,
): Promise<BatchResult> {
  if (act === 'cancel') {
    const given = reason.trim() === '' ? input : { ...input, reason: reason.trim() };
    const { cancelJobs } = await run(client, CancelJobs, { input: given }, signal);
    return done(cancelJobs);
  }
  const { retryJobs } = await run(client, RetryJobs, { input }, signal);
  return done(retryJobs);
}
