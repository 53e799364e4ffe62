import { SKIP_REASONS, type SkipReason } from '../../core/bulk.ts';
import { type BulkOutcome, DEFAULT_SELECTION, MAX_SELECTION } from '../../jobs/select-jobs.ts';
import { builder } from '../builder.ts';
import { SkipReasonEnum } from './enums.ts';

/**
 * Cost of a bulk verb: each fifty jobs are about the work of a field that is read. A limit that none has
 * costs no less than nothing and no more than the largest: the verb refuses it by name.
 */
export function selectionComplexity({ limit }: { readonly limit?: number | null | undefined }) {
  const most = Math.min(Math.max(1, limit ?? DEFAULT_SELECTION), MAX_SELECTION);
  return { field: 1 + Math.ceil(most / 50), multiplier: 1 };
}

interface Skip {
  readonly reason: SkipReason;
  readonly count: number;
}

export const SkippedJobs = builder.objectRef<Skip>('SkippedJobs').implement({
  description: 'Jobs of a selection that were left as they are.',
  fields: (t) => ({
    reason: t.expose('reason', { type: SkipReasonEnum, description: 'Why.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
  }),
});

const BulkResult = builder.interfaceRef<BulkOutcome>('BulkResult').implement({
  description: 'What was done to the jobs that a filter chose. Each of them is counted once.',
  fields: (t) => ({
    matchedCount: t.exposeInt('matchedCount', {
      description: 'Jobs that the filter chose, up to the limit.',
    }),
    skipped: t.field({
      type: [SkippedJobs],
      description: 'Those that were left as they are, by reason.',
      resolve: ({ skipped }) =>
        SKIP_REASONS.flatMap((reason) => {
          const count = skipped[reason] ?? 0;
          return count > 0 ? [{ reason, count }] : [];
        }),
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether there are more: call again with `after`.',
    }),
    isPartial: t.exposeBoolean('isPartial', {
      description:
        "True when looking for jobs ended before the limit was reached and before the tenant's jobs did: the filter matches few of many. `hasMore` is true then, and `endCursor` stands at the last job that was looked at.",
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Stands behind the last job that was chosen; null when none was.',
    }),
  }),
});

export const CancelJobsPayload = builder.objectRef<BulkOutcome>('CancelJobsPayload').implement({
  description: 'What a cancel of many jobs did.',
  interfaces: [BulkResult],
  fields: (t) => ({
    canceledCount: t.exposeInt('changedCount', { description: 'Queued ones; they are canceled.' }),
    requestedCount: t.exposeInt('requestedCount', {
      description: 'Running ones; their workers hear within a second and end them.',
    }),
  }),
});

export const RetryJobsPayload = builder.objectRef<BulkOutcome>('RetryJobsPayload').implement({
  description: 'What a retry of many jobs did.',
  interfaces: [BulkResult],
  fields: (t) => ({
    retriedCount: t.exposeInt('changedCount', { description: 'They are in the queue again.' }),
  }),
});
