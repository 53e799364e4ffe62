import { SKIP_REASONS, type SkipReason } from '../../core/bulk.ts';
import type { BulkOutcome } from '../../jobs/select-jobs.ts';
import { builder } from '../builder.ts';
import { SkipReasonEnum } from './enums.ts';

interface Skip {
  readonly reason: SkipReason;
  readonly count: number;
}

const SkippedJobs = builder.objectRef<Skip>('SkippedJobs').implement({
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
