import type { WebhookEndpointRow } from '../../../db/prisma.ts';
import { defineRoute, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  findWebhookDeliveries,
  findWebhookEndpoints,
  removeWebhookEndpoint,
  rotateEndpointSecret,
} from '../use-cases/endpoints.ts';
import { redeliverWebhook } from '../use-cases/redeliver.ts';
import {
  CreateEndpointSchema,
  DeliveriesSchema,
  EndpointsSchema,
  RedeliverySchema,
  RotateSchema,
  SecretSchema,
  UpdateEndpointSchema,
} from './schemas.ts';

export const TAG = 'Webhooks';
const PARAMS = Type.Object({ endpoint_id: Type.Uuid({ description: 'The endpoint’s id.' }) });
const EXAMPLE = { endpoint_id: '{endpoint_id}' };

const list = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  tag: TAG,
  summary: 'List webhook endpoints, newest first',
  need: findWebhookEndpoints.need,
  answer: EndpointsSchema,
  example: { answer: { data: [] } },
  run: async ({ operation, caller }) => ({
    data: (await findWebhookEndpoints(operation.transaction, caller)).map(shownEndpoint),
  }),
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

const create = defineRoute({
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
  run: async ({ deps, caller }, { body }) => {
    const { pause_after_seconds: pauseAfterSeconds, ...rest } = body;
    return createWebhookEndpoint(deps.jobs, caller, { ...rest, pauseAfterSeconds });
  },
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
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, body: { is_paused: false }, answer: undefined },
  run: async ({ deps, caller }, { params, body }) => {
    const { pause_after_seconds: pauseAfterSeconds, is_paused: isPaused, ...rest } = body;
    await changeWebhookEndpoint(deps.jobs, caller, params.endpoint_id, {
      ...rest,
      pauseAfterSeconds,
      isPaused,
    });
    return undefined;
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
  errors: ['NotFound'],
  example: { params: { endpoint_id: '{spare_endpoint_id}' }, answer: undefined },
  run: async ({ deps, caller }, { params }) => {
    await removeWebhookEndpoint(deps.jobs, caller, params.endpoint_id);
    return undefined;
  },
});

const rotate = defineRoute({
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
  run: async ({ deps, caller }, { params, body }) => ({
    id: params.endpoint_id,
    secret: await rotateEndpointSecret(deps.jobs, caller, params.endpoint_id, body.overlap_seconds),
  }),
});

const deliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints/:endpoint_id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: TAG,
  summary: 'List attempts to deliver, newest first',
  need: findWebhookDeliveries.need,
  params: PARAMS,
  query: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ description: 'How many, 1 to 100; 20 by default.' })),
      before: Type.Optional(Type.Uuid({ description: 'Only those before this one.' })),
    },
    { additionalProperties: false },
  ),
  answer: DeliveriesSchema,
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, answer: { data: [] } },
  run: async ({ operation, caller }, { params, query }) => {
    const page = { first: query.limit, before: query.before };
    const rows = await findWebhookDeliveries(operation.transaction, caller, params.endpoint_id, page);
    return {
      data: rows.map((row) => ({
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
    };
  },
});

const redeliver = defineRoute({
  method: 'POST',
  path: '/webhooks/deliveries/:delivery_id/redeliver',
  operationId: 'redeliverWebhook',
  tag: TAG,
  summary: 'Deliver an event once more',
  description: 'Under the same `webhook-id`, by a job of its own.',
  need: redeliverWebhook.need,
  params: Type.Object({ delivery_id: Type.Uuid({ description: 'One of its attempts.' }) }),
  body: Type.Object({}, { title: 'RedeliverWebhook', additionalProperties: false }),
  isBodyOptional: true,
  answer: RedeliverySchema,
  status: 201,
  errors: ['NotFound'],
  example: { params: { delivery_id: '{delivery_id}' }, answer: {} },
  run: async ({ deps, caller }, { params }) => ({
    job_id: await redeliverWebhook(deps.jobs, caller, params.delivery_id),
  }),
});

export const endpointRoutes: readonly RestRoute[] = [
  list,
  create,
  update,
  remove,
  rotate,
  deliveries,
  redeliver,
];
