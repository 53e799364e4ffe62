import { defineRoute, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import {
  changeWebhookSource,
  createWebhookSource,
  findWebhookSources,
  removeWebhookSource,
  rotateSourceSecret,
  type Verification,
} from '../use-cases/sources.ts';
import {
  CreateSourceSchema,
  RotateSchema,
  SecretSchema,
  SourcesSchema,
  UpdateSourceSchema,
} from './schemas.ts';

const TAG = 'Webhooks';
const PARAMS = Type.Object({ source_id: Type.Uuid({ description: 'The source’s id.' }) });
const EXAMPLE = { source_id: '{source_id}' };

const list = defineRoute({
  method: 'GET',
  path: '/webhooks/sources',
  operationId: 'listWebhookSources',
  tag: TAG,
  summary: 'List webhook sources, newest first',
  need: findWebhookSources.need,
  answer: SourcesSchema,
  example: { answer: { data: [] } },
  run: async ({ operation, caller }) => ({
    data: (await findWebhookSources(operation.transaction, caller)).map((row) => ({
      id: row.id,
      label: row.label,
      path: `/hooks/${row.id}`,
      event_name: row.eventName,
      verification: row.verification as Verification,
      link_url_field: row.linkUrlField,
      is_enabled: row.isEnabled,
      received_count: Number(row.receivedCount),
      last_received_at: row.lastReceivedAt?.toISOString() ?? null,
      created_by: row.createdBy,
      created_at: row.createdAt.toISOString(),
    })),
  }),
});

const create = defineRoute({
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
  errors: ['InvalidArgument', 'QuotaExceeded'],
  example: {
    body: { label: 'Repository', event_name: 'repository.pushed', verification: 'github' },
    answer: {},
  },
  run: async ({ deps, caller }, { body }) => {
    const { event_name: eventName, link_url_field: linkUrlField, ...rest } = body;
    return createWebhookSource(deps.jobs, caller, { ...rest, eventName, linkUrlField });
  },
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
  errors: ['InvalidArgument', 'NotFound'],
  example: { params: EXAMPLE, body: { is_enabled: true }, answer: undefined },
  run: async ({ deps, caller }, { params, body }) => {
    const { event_name: eventName, is_enabled: isEnabled, label } = body;
    await changeWebhookSource(deps.jobs, caller, params.source_id, { label, eventName, isEnabled });
    return undefined;
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
  errors: ['NotFound'],
  example: { params: { source_id: '{spare_source_id}' }, answer: undefined },
  run: async ({ deps, caller }, { params }) => {
    await removeWebhookSource(deps.jobs, caller, params.source_id);
    return undefined;
  },
});

const rotate = defineRoute({
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
  run: async ({ deps, caller }, { params, body }) => ({
    id: params.source_id,
    secret: await rotateSourceSecret(deps.jobs, caller, params.source_id, body.overlap_seconds),
  }),
});

export const sourceRoutes: readonly RestRoute[] = [list, create, update, remove, rotate];
