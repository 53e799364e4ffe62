import { SKIP_REASONS, type SkipCounts } from '../../../core/bulk.ts';
import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { SkippedJobs } from '../../../graphql/types/bulk.ts';
import type { BulkStatus, BulkVerb } from '../bulk-action.ts';
import { bulkActionLoader } from './loaders.ts';
import { BulkActionStatusEnum, BulkActionType, BulkVerbEnum } from './refs.ts';

/** Counts by reason, as the row keeps them. */
export function skipsOf(
  skipped: unknown,
): { readonly reason: (typeof SKIP_REASONS)[number]; readonly count: number }[] {
  const counts = skipped as SkipCounts;
  return SKIP_REASONS.flatMap((reason) => {
    const count = counts[reason] ?? 0;
    return count > 0 ? [{ reason, count }] : [];
  });
}

builder.node(BulkActionType, {
  description: 'A cancel or a retry of all jobs that a filter chooses, which goes on by itself.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, bulkActionLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'The plain key, as SQL and logs have it.' }),
    verb: t.field({
      type: BulkVerbEnum,
      description: 'What it does.',
      resolve: ({ verb }) => verb as BulkVerb,
    }),
    status: t.field({
      type: BulkActionStatusEnum,
      description: 'Current status.',
      resolve: ({ status }) => status as BulkStatus,
    }),
    filter: t.field({
      type: 'JSON',
      description: 'Which jobs, as it was asked for.',
      resolve: ({ filter }) => filter,
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason of a cancel, kept on the jobs.',
    }),
    matchedCount: t.exposeInt('matchedCount', {
      description:
        'Jobs that were found to match, those that are done with among them. More may come while `hasMore`.',
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether there may be jobs behind those that were found.',
    }),
    doneCount: t.exposeInt('doneCount', {
      description: 'Jobs that were canceled, or are in the queue again.',
    }),
    requestedCount: t.exposeInt('requestedCount', { description: 'Running jobs that were asked to stop.' }),
    failedCount: t.exposeInt('failedCount', {
      description: 'Jobs that were left as they are; `skipped` says why.',
    }),
    skipped: t.field({
      type: [SkippedJobs],
      description: 'Those that were left as they are, by reason.',
      resolve: ({ skipped }) => skipsOf(skipped),
    }),
    isStopRequested: t.boolean({
      description: 'Somebody has asked it to stop.',
      resolve: ({ stopRequestedAt }) => stopRequestedAt !== null,
    }),
    failure: t.exposeString('error', { nullable: true, description: 'Why it could not go on.' }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who began it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was begun.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it goes on.',
    }),
    version: t.expose('version', { type: 'BigInt', description: 'Grows with each change of the row.' }),
  }),
});
