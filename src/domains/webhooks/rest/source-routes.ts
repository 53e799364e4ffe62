import type { WebhookSourceRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import {
  changeWebhookSource,
  createWebhookSource,
  findWebhookSource,
  findWebhookSources,
  removeWebhookSource,
  rotateSourceSecret,
  type Verification,
} from '../use-cases/sources.ts';
import {
  CreateSourceSchema,
  RotateSchema,
  SecretSchema,
  SourceSchema,
  SourcesSchema,
  UpdateSourceSchema,
} from './schemas.ts';

const TAG = 'Webhooks';
const PARAMS = Type.Object({ source_id: Type.Uuid({ description: 'The source’s id.' }) });
const EXAMPLE = { source_id: '{source_id}' };
const ETAG = { etag: 'Its version, for `If-Match`.' };

const list = defineRoute({
  method: 'GET',
  path: '/webhooks/sources',
  operationId: 'listWebhookSources',
  tag: TAG,
  summary: 'List webhook sources, newest first',
  need: findWebhookSources.need,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: SourcesSchema,
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query: { limit, after } }) => {
    const page = await findWebhookSources(operation.transaction, caller, { first: limit, after });
    return answerPage(url, page, page.rows.map(shownSource));
  },
});

function shownSource(row: WebhookSourceRow) {
  return {
    id: row.id,
    label: row.label,
    path: `/hooks/${row.id}`,
    event_name: row.eventName,
    trigger_id: row.triggerId,
    verification: row.verification as Verification,
    link_url_field: row.linkUrlField,
    is_enabled: row.isEnabled,
    received_count: Number(row.receivedCount),
    last_received_at: row.lastReceivedAt?.toISOString() ?? null,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  };
}

async function answer({ operation, caller }: RestContext, sourceId: string) {
  const row = await findWebhookSource(operation.transaction, caller, sourceId);
  if (row === null) throw notFound('webhook source', sourceId);
  return new RestReply(shownSource(row), { headers: { etag: etagOf(row.version) } });
}

const get = defineRoute({
  method: 'GET',
  path: '/webhooks/sources/:source_id',
  operationId: 'getWebhookSource',
  tag: TAG,
  summary: 'Read a webhook source',
  need: findWebhookSource.need,
  params: PARAMS,
  answer: SourceSchema,
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: EXAMPLE, answer: {} },
  run: (context, { params }) => answer(context, params.source_id.toLowerCase()),
});

const create = defineAction({
  method: 'POST',
  path: '/webhooks/sources',
  operationId: 'createWebhookSource',
  tag: TAG,
  summary: 'Make a URL whose messages become events',
  description:
    'Messages go to `POST /hooks/{id}`, or `POST /hooks/{id}/{secret}` with a token as its verification.',
  need: createWebhookSource.need,
  body: CreateSourceSchema,
  answer: SecretSchema,
  status: 201,
  errors: ['InvalidArgument', 'NotFound', 'AlreadyExists', 'QuotaExceeded'],
  example: {
    body: { label: 'Repository', event_name: 'repository.pushed', verification: 'github' },
    answer: {},
  },
  act: ({ deps, caller }, { body }) => {
    const { event_name: eventName, trigger_id: triggerId, link_url_field: linkUrlField, ...rest } = body;
    const target = { eventName, triggerId: triggerId?.toLowerCase() };
    return createWebhookSource(deps.jobs, caller, { ...rest, ...target, linkUrlField });
  },
  show: async (_context, made) => made,
});

const update = defineRoute({
  method: 'PATCH',
  path: '/webhooks/sources/:source_id',
  operationId: 'updateWebhookSource',
  tag: TAG,
  summary: 'Change, enable or disable a webhook source',
  need: changeWebhookSource.need,
  params: PARAMS,
  body: UpdateSourceSchema,
  answer: SourceSchema,
  answerHeaders: ETAG,
  errors: ['InvalidArgument', 'NotFound', 'PreconditionFailed'],
  takesIfMatch: true,
  example: { params: EXAMPLE, body: { is_enabled: true }, answer: {} },
  run: async (context, { params, body }) => {
    const { event_name: eventName, is_enabled: isEnabled, label } = body;
    const id = params.source_id.toLowerCase();
    const change = { label, eventName, isEnabled };
    await changeWebhookSource(context.deps.jobs, context.caller, id, change, versionMatchOf(context));
    return await answer(context, id);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/webhooks/sources/:source_id',
  operationId: 'deleteWebhookSource',
  tag: TAG,
  summary: 'Delete a webhook source',
  need: removeWebhookSource.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed'],
  takesIfMatch: true,
  example: { params: { source_id: '{spare_source_id}' }, answer: undefined },
  run: async (context, { params }) => {
    await removeWebhookSource(context.deps.jobs, context.caller, params.source_id, versionMatchOf(context));
    return undefined;
  },
});

const rotate = defineAction({
  method: 'POST',
  path: '/webhooks/sources/:source_id/rotate-secret',
  operationId: 'rotateWebhookSourceSecret',
  tag: TAG,
  summary: 'Give a webhook source a new secret or token',
  need: rotateSourceSecret.need,
  params: PARAMS,
  body: RotateSchema,
  isBodyOptional: true,
  answer: SecretSchema,
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, body: { overlap_seconds: 3600 }, answer: {} },
  act: ({ deps, caller }, { params, body }) =>
    rotateSourceSecret(deps.jobs, caller, params.source_id, body.overlap_seconds),
  show: async (_context, secret, { params }) => ({ id: params.source_id, secret }),
});

export const sourceRoutes: readonly RestRoute[] = [list, create, get, update, remove, rotate];
