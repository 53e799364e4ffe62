import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { enqueuedJob } from '../../../rest/enqueue.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { EnqueuedJobSchema } from '../../../rest/schemas/job.ts';
import { findTrigger, findTriggerRuns, findTriggers } from '../use-cases/find-triggers.ts';
import { runScheduleNow } from '../use-cases/run-schedule-now.ts';
import { createTrigger, deleteTrigger, updateTrigger } from '../use-cases/save-trigger.ts';
import { FIELDS, TRIGGER_TYPES, TriggerRunSchema, TriggerSchema } from './schemas.ts';
import { checkType, fieldsOf, shownRun, shownTrigger } from './shown.ts';

const PARAMS = Type.Object({ trigger_id: Type.Uuid({ description: 'The trigger’s id.' }) });
const ETAG = { etag: 'Its version, for `If-Match`.' };

const list = defineRoute({
  method: 'GET',
  path: '/jobs/triggers',
  operationId: 'listTriggers',
  tag: 'Triggers',
  summary: 'List triggers, newest first',
  need: findTriggers.need,
  query: Type.Object(
    {
      trigger_type: Type.Optional(Type.Words(TRIGGER_TYPES, { description: 'Only triggers of this type.' })),
      is_enabled: Type.Optional(Type.Boolean({ description: 'Enabled or disabled ones.' })),
      last_run_failed: Type.Optional(
        Type.Boolean({
          description: 'Those whose last run failed, by its job or without one; or the others.',
        }),
      ),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('TriggerPage', TriggerSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { trigger_type: 'schedule' }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { query }) => {
    const { caller, operation, url } = context;
    const filter = {
      kind: query.trigger_type,
      isEnabled: query.is_enabled,
      lastRunFailed: query.last_run_failed,
    };
    const page = await findTriggers(operation.transaction, caller, filter, {
      first: query.limit,
      after: query.after,
    });
    return answerPage(url, page, await Promise.all(page.rows.map((row) => shownTrigger(context, row))));
  },
});

const create = defineAction({
  method: 'POST',
  path: '/jobs/triggers',
  operationId: 'createTrigger',
  tag: 'Triggers',
  summary: 'Make a trigger',
  need: createTrigger.need,
  body: Type.Object(
    {
      label: Type.String({ description: '1 to 200 characters.' }),
      trigger_type: Type.Words(TRIGGER_TYPES, { description: 'What starts it.' }),
      definition_key: Type.String({ description: 'What its jobs are of.' }),
      ...FIELDS,
    },
    { title: 'CreateTrigger', additionalProperties: false },
  ),
  answer: TriggerSchema,
  status: 201,
  answerHeaders: { ...ETAG, location: 'Where the trigger is.' },
  errors: ['InvalidArgument', 'InvalidPayload', 'PayloadTooLarge', 'UnknownDefinition', 'QuotaExceeded'],
  example: {
    body: {
      label: 'Nightly greeting',
      trigger_type: 'schedule',
      cron_expr: '0 2 * * *',
      timezone: 'America/New_York',
      definition_key: 'echo',
      payload_template: { message: 'Good night' },
    },
    answer: {},
  },
  act: async ({ deps, caller }, { body }) => {
    const { label, trigger_type: type, definition_key: definitionKey, ...fields } = body;
    checkType(type, fields);
    return createTrigger(deps.jobs, caller, { ...fieldsOf(fields), label, definitionKey });
  },
  show: (context, id) => answer(context, id, { location: `/api/v1/jobs/triggers/${id}` }),
});

const get = defineRoute({
  method: 'GET',
  path: '/jobs/triggers/:trigger_id',
  operationId: 'getTrigger',
  tag: 'Triggers',
  summary: 'Read a trigger',
  need: findTrigger.need,
  params: PARAMS,
  answer: TriggerSchema,
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: { trigger_id: '{trigger_id}' }, answer: {} },
  run: (context, { params }) => answer(context, params.trigger_id),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/jobs/triggers/:trigger_id',
  operationId: 'updateTrigger',
  tag: 'Triggers',
  summary: 'Change a trigger; null gives a field its default, absent leaves it',
  need: updateTrigger.need,
  params: PARAMS,
  body: Type.Object(
    {
      label: Type.Optional(Type.String({ description: '1 to 200 characters.' })),
      definition_key: Type.Optional(Type.String({ description: 'What its jobs are of.' })),
      ...FIELDS,
    },
    { title: 'UpdateTrigger', additionalProperties: false },
  ),
  answer: TriggerSchema,
  answerHeaders: ETAG,
  errors: [
    'NotFound',
    'InvalidArgument',
    'InvalidPayload',
    'PayloadTooLarge',
    'UnknownDefinition',
    'PreconditionFailed',
  ],
  takesIfMatch: true,
  example: { params: { trigger_id: '{trigger_id}' }, body: { is_enabled: false }, answer: {} },
  run: async (context, { params, body }) => {
    const id = params.trigger_id.toLowerCase();
    const { label, definition_key: definitionKey, ...fields } = body;
    const change = {
      ...fieldsOf(fields),
      ...(label !== undefined && { label }),
      ...(definitionKey !== undefined && { definitionKey }),
    };
    await updateTrigger(context.deps.jobs, context.caller, id, change, versionMatchOf(context));
    await context.operation.renew();
    return await answer(context, id);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/jobs/triggers/:trigger_id',
  operationId: 'deleteTrigger',
  tag: 'Triggers',
  summary: 'Delete a trigger and the record of its runs; its jobs stay',
  need: deleteTrigger.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed'],
  takesIfMatch: true,
  example: { params: { trigger_id: '{spare_trigger_id}' }, answer: null },
  run: async (context, { params }) => {
    const id = params.trigger_id.toLowerCase();
    await deleteTrigger(context.deps.jobs, context.caller, id, versionMatchOf(context));
    return undefined;
  },
});

const runs = defineRoute({
  method: 'GET',
  path: '/jobs/triggers/:trigger_id/runs',
  operationId: 'listTriggerRuns',
  tag: 'Triggers',
  summary: 'List what became of a trigger’s runs and events, newest first',
  need: findTriggerRuns.need,
  params: PARAMS,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: pageSchema('TriggerRunPage', TriggerRunSchema),
  answerHeaders: LINK_HEADER,
  errors: ['NotFound', 'InvalidArgument'],
  example: {
    params: { trigger_id: '{trigger_id}' },
    answer: { data: [], has_more: false, next_cursor: null },
  },
  run: async (context, { params, query }) => {
    const { id } = await found(context, params.trigger_id);
    const page = await findTriggerRuns(
      context.operation.transaction,
      context.caller,
      { triggerId: id },
      {
        first: query.limit,
        after: query.after,
      },
    );
    return answerPage(context.url, page, page.rows.map(shownRun));
  },
});

const runNow = defineAction({
  method: 'POST',
  path: '/jobs/triggers/:trigger_id/run',
  operationId: 'runScheduleNow',
  tag: 'Triggers',
  summary: 'Enqueue one job of a schedule at once',
  need: runScheduleNow.need,
  params: PARAMS,
  body: Type.Object({}, { title: 'RunScheduleNow', additionalProperties: false }),
  isBodyOptional: true,
  answer: EnqueuedJobSchema,
  status: 201,
  answerHeaders: { location: 'Where the job is.' },
  errors: ['NotFound', 'InvalidArgument', 'InvalidPayload', 'DefinitionInactive'],
  example: { params: { trigger_id: '{trigger_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) => runScheduleNow(deps.jobs, caller, params.trigger_id.toLowerCase()),
  show: async (context, id) =>
    new RestReply(await enqueuedJob(context, id), { headers: { location: `/api/v1/jobs/${id}` } }),
});

async function found({ operation, caller }: RestContext, triggerId: string) {
  const id = triggerId.toLowerCase();
  const row = await findTrigger(operation.transaction, caller, id);
  if (row !== null) return row;
  throw notFound('trigger', id);
}

async function answer(context: RestContext, id: string, headers: Readonly<Record<string, string>> = {}) {
  const row = await found(context, id);
  return new RestReply(await shownTrigger(context, row), {
    headers: { ...headers, etag: etagOf(row.version) },
  });
}

export const triggerRoutes = [list, create, get, update, remove, runs, runNow];
