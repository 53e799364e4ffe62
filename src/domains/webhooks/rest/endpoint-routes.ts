import type { WebhookEndpointRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  removeWebhookEndpoint,
  rotateEndpointSecret,
} from '../use-cases/endpoints.ts';
import {
  findWebhookDeliveries,
  findWebhookEndpoint,
  findWebhookEndpoints,
} from '../use-cases/find-endpoints.ts';
import { redeliverWebhook } from '../use-cases/redeliver.ts';
import {
  CreateEndpointSchema,
  DeliveriesSchema,
  EndpointSchema,
  EndpointsSchema,
  RedeliverySchema,
  RotateSchema,
  SecretSchema,
  UpdateEndpointSchema,
} from './schemas.ts';

export const TAG = 'Webhooks';
const PARAMS = Type.Object({ endpoint_id: Type.Uuid({ description: 'The endpoint’s id.' }) });
const EXAMPLE = { endpoint_id: '{endpoint_id}' };
const ETAG = { etag: 'Its version, for `If-Match`.' };

const list = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  tag: TAG,
  summary: 'List webhook endpoints, newest first',
  need: findWebhookEndpoints.need,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: EndpointsSchema,
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query: { limit, after } }) => {
    const page = await findWebhookEndpoints(operation.transaction, caller, { first: limit, after }, null);
    return answerPage(url, page, page.rows.map(shownEndpoint));
  },
});

async function answer({ operation, caller }: RestContext, endpointId: string) {
  const row = await findWebhookEndpoint(operation.transaction, caller, endpointId);
  if (row === null) throw notFound('webhook endpoint', endpointId);
  return new RestReply(shownEndpoint(row), { headers: { etag: etagOf(row.version) } });
}

const get = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints/:endpoint_id',
  operationId: 'getWebhookEndpoint',
  tag: TAG,
  summary: 'Read a webhook endpoint',
  need: findWebhookEndpoint.need,
  params: PARAMS,
  answer: EndpointSchema,
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: EXAMPLE, answer: {} },
  run: (context, { params }) => answer(context, params.endpoint_id.toLowerCase()),
});

function shownEndpoint(row: WebhookEndpointRow) {
  return {
    id: row.id,
    label: row.label,
    url: row.url,
    paused_at: row.pausedAt?.toISOString() ?? null,
    pause_reason: row.pauseReason,
    pause_after_seconds: row.pauseAfterSeconds,
    consecutive_failures: row.consecutiveFailures,
    failing_since: row.failingSince?.toISOString() ?? null,
    last_delivered_at: row.lastDeliveredAt?.toISOString() ?? null,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  };
}

const create = defineAction({
  method: 'POST',
  path: '/webhooks/endpoints',
  operationId: 'createWebhookEndpoint',
  tag: TAG,
  summary: 'Make a webhook endpoint',
  description: 'Triggers of the definition `deliver-webhook` deliver to it, signed by Standard Webhooks.',
  need: createWebhookEndpoint.need,
  body: CreateEndpointSchema,
  answer: SecretSchema,
  status: 201,
  errors: ['InvalidArgument', 'QuotaExceeded'],
  example: { body: { label: 'Shop', url: 'https://example.com/hooks' }, answer: {} },
  act: ({ deps, caller }, { body: { pause_after_seconds: pauseAfterSeconds, ...rest } }) =>
    createWebhookEndpoint(deps.jobs, caller, { ...rest, pauseAfterSeconds }),
  show: async (_context, made) => made,
});

const update = defineRoute({
  method: 'PATCH',
  path: '/webhooks/endpoints/:endpoint_id',
  operationId: 'updateWebhookEndpoint',
  tag: TAG,
  summary: 'Change, pause or resume a webhook endpoint',
  need: changeWebhookEndpoint.need,
  params: PARAMS,
  body: UpdateEndpointSchema,
  answer: EndpointSchema,
  answerHeaders: ETAG,
  errors: ['InvalidArgument', 'NotFound', 'PreconditionFailed'],
  takesIfMatch: true,
  example: { params: EXAMPLE, body: { is_paused: false }, answer: {} },
  run: async (context, { params, body }) => {
    const { pause_after_seconds: pauseAfterSeconds, is_paused: isPaused, ...rest } = body;
    const id = params.endpoint_id.toLowerCase();
    const change = { ...rest, pauseAfterSeconds, isPaused };
    await changeWebhookEndpoint(context.deps.jobs, context.caller, id, change, versionMatchOf(context));
    return await answer(context, id);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/webhooks/endpoints/:endpoint_id',
  operationId: 'deleteWebhookEndpoint',
  tag: TAG,
  summary: 'Delete a webhook endpoint',
  need: removeWebhookEndpoint.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed'],
  takesIfMatch: true,
  example: { params: { endpoint_id: '{spare_endpoint_id}' }, answer: undefined },
  run: async (context, { params }) => {
    await removeWebhookEndpoint(
      context.deps.jobs,
      context.caller,
      params.endpoint_id,
      versionMatchOf(context),
    );
    return undefined;
  },
});

const rotate = defineAction({
  method: 'POST',
  path: '/webhooks/endpoints/:endpoint_id/rotate-secret',
  operationId: 'rotateWebhookEndpointSecret',
  tag: TAG,
  summary: 'Give a webhook endpoint a new secret',
  description: 'The old one stays good for a while: deliveries carry a signature of each.',
  need: rotateEndpointSecret.need,
  params: PARAMS,
  body: RotateSchema,
  isBodyOptional: true,
  answer: SecretSchema,
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, body: { overlap_seconds: 3600 }, answer: {} },
  act: ({ deps, caller }, { params, body }) =>
    rotateEndpointSecret(deps.jobs, caller, params.endpoint_id, body.overlap_seconds),
  show: async (_context, secret, { params }) => ({ id: params.endpoint_id, secret }),
});

const deliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints/:endpoint_id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: TAG,
  summary: 'List attempts to deliver, newest first',
  need: findWebhookDeliveries.need,
  params: PARAMS,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: DeliveriesSchema,
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { params, query: { limit, after } }) => {
    const id = params.endpoint_id.toLowerCase();
    const page = await findWebhookDeliveries(operation.transaction, caller, id, { first: limit, after });
    return answerPage(
      url,
      page,
      page.rows.map((row) => ({
        id: row.id,
        message_id: row.messageId,
        event_name: row.eventName,
        outcome: row.outcome as 'delivered' | 'failed' | 'skipped',
        status_code: row.statusCode,
        error: row.error,
        answer: row.answer,
        duration_ms: row.durationMs,
        job_id: row.jobId,
        attempted_at: row.attemptedAt.toISOString(),
      })),
    );
  },
});

const redeliver = defineAction({
  method: 'POST',
  path: '/webhooks/deliveries/:delivery_id/redeliver',
  operationId: 'redeliverWebhook',
  tag: TAG,
  summary: 'Deliver an event again',
  description: 'Under the same `webhook-id`, by a job of its own.',
  need: redeliverWebhook.need,
  params: Type.Object({ delivery_id: Type.Uuid({ description: 'One of its attempts.' }) }),
  body: Type.Object({}, { title: 'RedeliverWebhook', additionalProperties: false }),
  isBodyOptional: true,
  answer: RedeliverySchema,
  status: 201,
  errors: ['NotFound'],
  example: { params: { delivery_id: '{delivery_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) => redeliverWebhook(deps.jobs, caller, params.delivery_id),
  show: async (_context, jobId) => ({ job_id: jobId }),
});

export const endpointRoutes: readonly RestRoute[] = [
  list,
  create,
  get,
  update,
  remove,
  rotate,
  deliveries,
  redeliver,
];
