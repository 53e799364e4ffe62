import type { Static } from 'typebox';
import { SKIP_REASONS } from '../../../core/bulk.ts';
import type { BulkActionRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { JOB_FILTER, jobFilterOf } from '../../../rest/job-filter.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, type RestPart, RestReply } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { timeOrNull, timeText } from '../../../rest/shown-job.ts';
import { BULK_STATUSES, BULK_VERBS, type BulkStatus, type BulkVerb } from '../bulk-action.ts';
import { skipsOf } from '../graphql/bulk-action.ts';
import { bulkActionLoader } from '../graphql/loaders.ts';
import { findBulkActions, readBulkAction } from '../use-cases/find-bulk-actions.ts';
import { type NewBulkAction, startBulkAction } from '../use-cases/start-bulk-action.ts';
import { stopBulkAction } from '../use-cases/stop-bulk-action.ts';

const BulkActionSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    verb: Type.Words(BULK_VERBS, { description: 'What it does.' }),
    status: Type.Words(BULK_STATUSES, { description: 'Current status.' }),
    reason: Type.NullableString({ description: 'The reason of a cancel, kept on the jobs.' }),
    matched_count: Type.Integer({ description: 'Jobs that were found to match so far.' }),
    has_more: Type.Boolean({ description: 'Whether there may be jobs behind those.' }),
    done_count: Type.Integer({ description: 'Jobs that were canceled, or are in the queue again.' }),
    requested_count: Type.Integer({ description: 'Running jobs that were asked to stop.' }),
    failed_count: Type.Integer({ description: 'Jobs that were left as they are.' }),
    skipped: Type.Array(
      Type.Object(
        { reason: Type.Words(SKIP_REASONS), count: Type.Integer() },
        { title: 'SkippedJobs', additionalProperties: false },
      ),
      { description: 'Those by reason.' },
    ),
    is_stop_requested: Type.Boolean({ description: 'Somebody has asked it to stop.' }),
    failure: Type.NullableString({ description: 'Why it could not go on.' }),
    created_by: Type.NullableString({ description: 'Who began it.' }),
    created_at: Type.Time({ description: 'When it was begun.' }),
    finished_at: Type.NullableTime({ description: 'When it ended; null while it goes on.' }),
  },
  { title: 'BulkAction', description: 'A cancel or a retry of many jobs.', additionalProperties: false },
);

function shown(row: BulkActionRow): Static<typeof BulkActionSchema> {
  return {
    id: row.id,
    verb: row.verb as BulkVerb,
    status: row.status as BulkStatus,
    reason: row.reason,
    matched_count: row.matchedCount,
    has_more: row.hasMore,
    done_count: row.doneCount,
    requested_count: row.requestedCount,
    failed_count: row.failedCount,
    skipped: skipsOf(row.skipped),
    is_stop_requested: row.stopRequestedAt !== null,
    failure: row.error,
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    finished_at: timeOrNull(row.finishedAt),
  };
}

async function found({ operation, caller }: RestContext, given: string): Promise<BulkActionRow> {
  const id = given.toLowerCase();
  const row = await readBulkAction(operation.loader(bulkActionLoader), caller, id);
  if (row !== null) return row;
  throw notFound('bulk action', id);
}

function start({ deps, operation, caller }: RestContext, asked: NewBulkAction): Promise<string> {
  return startBulkAction({ ...deps.jobs, reads: operation.transaction }, caller, asked);
}

async function started(context: RestContext, id: string): Promise<RestReply<unknown>> {
  return new RestReply(shown(await found(context, id)), { headers: { location: `/api/v1/jobs/bulk/${id}` } });
}

const FILTER = Type.Object(JOB_FILTER, {
  title: 'JobFilter',
  description: 'Which jobs: at least one condition.',
  additionalProperties: false,
});
const DESCRIPTION =
  'It goes on by itself, also after a restart of the server: read it again for its progress.';

const cancelMany = defineAction({
  method: 'POST',
  path: '/jobs/bulk/cancel',
  operationId: 'cancelJobs',
  tag: 'Jobs',
  summary: 'Begin to cancel all jobs that match',
  description: DESCRIPTION,
  need: startBulkAction.need,
  body: Type.Object(
    { filter: FILTER, reason: Type.Optional(Type.NullableString({ description: 'Why, for people.' })) },
    { title: 'CancelJobs', additionalProperties: false },
  ),
  answer: BulkActionSchema,
  status: 202,
  answerHeaders: { location: 'Where the bulk action is.' },
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: { body: { filter: { tags: ['night'] }, reason: 'Not tonight' }, answer: {} },
  act: (context, { body: { filter, reason } }) =>
    start(context, { verb: 'cancel', filter: jobFilterOf(filter, context), reason }),
  show: (context, id) => started(context, id),
});

const retryMany = defineAction({
  method: 'POST',
  path: '/jobs/bulk/retry',
  operationId: 'retryJobs',
  tag: 'Jobs',
  summary: 'Begin to retry all jobs that match',
  description: DESCRIPTION,
  need: startBulkAction.need,
  body: Type.Object(
    {
      filter: FILTER,
      spread_seconds: Type.Optional(
        Type.Integer({ description: 'They become due spread over this time, 0 to 86400; 0 by default.' }),
      ),
    },
    { title: 'RetryJobs', additionalProperties: false },
  ),
  answer: BulkActionSchema,
  status: 202,
  answerHeaders: { location: 'Where the bulk action is.' },
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: { body: { filter: { status: ['failed'] }, spread_seconds: 60 }, answer: {} },
  act: (context, { body: { filter, spread_seconds: spreadSeconds } }) =>
    start(context, { verb: 'retry', filter: jobFilterOf(filter, context), spreadSeconds }),
  show: (context, id) => started(context, id),
});

const PARAMS = Type.Object({ bulk_action_id: Type.Uuid({ description: 'The bulk action’s id.' }) });

const get = defineRoute({
  method: 'GET',
  path: '/jobs/bulk/:bulk_action_id',
  operationId: 'getBulkAction',
  tag: 'Jobs',
  summary: 'Read a bulk action with its progress',
  need: readBulkAction.need,
  params: PARAMS,
  answer: BulkActionSchema,
  errors: ['NotFound'],
  example: { params: { bulk_action_id: '{bulk_action_id}' }, answer: {} },
  run: async (context, { params }) => shown(await found(context, params.bulk_action_id)),
});

const list = defineRoute({
  method: 'GET',
  path: '/jobs/bulk',
  operationId: 'listBulkActions',
  tag: 'Jobs',
  summary: 'List bulk actions, newest first',
  need: findBulkActions.need,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: pageSchema('BulkActionPage', BulkActionSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { limit: 10 }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query: { limit, after } }) => {
    const page = await findBulkActions(operation.transaction, caller, { first: limit, after });
    return answerPage(url, page, page.rows.map(shown));
  },
});

const stop = defineAction({
  method: 'POST',
  path: '/jobs/bulk/:bulk_action_id/stop',
  operationId: 'stopBulkAction',
  tag: 'Jobs',
  summary: 'Stop a bulk action; what it has done stays done',
  need: stopBulkAction.need,
  params: PARAMS,
  body: Type.Object({}, { title: 'StopBulkAction', additionalProperties: false }),
  isBodyOptional: true,
  answer: BulkActionSchema,
  errors: ['NotFound'],
  example: { params: { bulk_action_id: '{bulk_action_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) =>
    stopBulkAction(deps.jobs, caller, params.bulk_action_id.toLowerCase()),
  show: async (context, _outcome, { params }) => shown(await found(context, params.bulk_action_id)),
});

/** What bulk actions add to the REST API. */
export const restPart: RestPart = { routes: [cancelMany, retryMany, list, get, stop] };
