import type { WebhookDeliveryRow, WebhookEndpointRow, WebhookSourceRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { loadersOf } from '../../../graphql/context.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { findWebhookDeliveries } from '../use-cases/find-endpoints.ts';
import { VERIFICATIONS, type Verification } from '../use-cases/sources.ts';
import {
  webhookDeliveriesByIds,
  webhookEndpointsByIds,
  webhookSourcesByIds,
} from '../use-cases/webhooks-by-ids.ts';

export const WebhookVerificationEnum = builder.enumType('WebhookVerification', {
  description: 'How the sender of a message proves that it is the source’s.',
  values: valuesOf(VERIFICATIONS, {
    standard: 'By the headers of Standard Webhooks, at most five minutes old.',
    github: 'By `X-Hub-Signature-256`, as GitHub signs.',
    token: 'By a token in the path, for senders that sign nothing.',
  }),
});

const OUTCOMES = ['delivered', 'failed', 'skipped'] as const;
const WebhookOutcomeEnum = builder.enumType('WebhookDeliveryOutcome', {
  description: 'How an attempt to deliver went.',
  values: valuesOf(OUTCOMES, {
    delivered: 'It was answered by a status of 2xx.',
    failed: 'It was answered by another status, or not at all. It is tried again by the job’s retry policy.',
    skipped: 'The endpoint was paused.',
  }),
});

export const WebhookDeliveryType = builder.objectRef<WebhookDeliveryRow>('WebhookDelivery');

builder.node(WebhookDeliveryType, {
  description: 'An attempt to deliver an event.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => webhookDeliveriesByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key.' }),
    messageKey: t.exposeString('messageId', {
      description: 'The header `webhook-id`: the same for each attempt of one event.',
    }),
    eventName: t.exposeString('eventName', { description: 'Name of the event.' }),
    outcome: t.field({
      type: WebhookOutcomeEnum,
      description: 'How it went.',
      resolve: ({ outcome }) => outcome as (typeof OUTCOMES)[number],
    }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description: 'The answer’s status; null where there was no answer.',
    }),
    failure: t.exposeString('error', { nullable: true, description: 'What went wrong.' }),
    answerText: t.exposeString('answer', {
      nullable: true,
      description: 'The beginning of the answer, at most 2000 characters.',
    }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took.' }),
    attemptedAt: t.expose('attemptedAt', { type: 'DateTime', description: 'When it was made.' }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job that made it; null when it has been deleted.',
      resolve: ({ jobId }, _args, context) => loadersOf(context).job.load(jobId),
    }),
  }),
});

const WebhookDeliveryConnection = builder.connectionObject(
  {
    type: WebhookDeliveryType,
    name: 'WebhookDeliveryConnection',
    description: 'A page of attempts to deliver, newest first.',
  },
  { name: 'WebhookDeliveryEdge', description: 'An attempt with its cursor.' },
);

export const WebhookEndpointType = builder.objectRef<WebhookEndpointRow>('WebhookEndpoint');

builder.node(WebhookEndpointType, {
  description: 'An address that events are delivered to.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => webhookEndpointsByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'Its key: `endpoint` in the payload template of a trigger of `deliver-webhook`.',
    }),
    label: t.exposeString('label', { description: 'What people call it.' }),
    url: t.exposeString('url', { description: 'The address.' }),
    isPaused: t.boolean({
      description: 'Nothing is delivered.',
      resolve: ({ pausedAt }) => pausedAt !== null,
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is paused.',
    }),
    pauseReason: t.exposeString('pauseReason', { nullable: true, description: 'Why it is paused.' }),
    pauseAfterSeconds: t.exposeInt('pauseAfterSeconds', {
      description:
        'It is paused by itself when it has failed for this long, with at least 20 failures in a row.',
    }),
    consecutiveFailureCount: t.exposeInt('consecutiveFailures', { description: 'Failures in a row.' }),
    failingSinceAt: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it fails.',
    }),
    lastDeliveredAt: t.expose('lastDeliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When something was last delivered.',
    }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who made it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    deliveries: t.field({
      type: WebhookDeliveryConnection,
      description: 'Attempts, newest first.',
      complexity: pageComplexity,
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, page, { actor, operation }) =>
        toConnection(await findWebhookDeliveries(operation.transaction, actor, id, page)),
    }),
  }),
});

export const WebhookSourceType = builder.objectRef<WebhookSourceRow>('WebhookSource');

builder.node(WebhookSourceType, {
  description: 'A URL whose messages become events.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => webhookSourcesByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key.' }),
    label: t.exposeString('label', { description: 'What people call it.' }),
    path: t.string({
      description:
        'Where to send messages, on this server: `/hooks/<uuid>`; with a token as its verification, `/<token>` follows.',
      resolve: ({ id }) => `/hooks/${id}`,
    }),
    eventName: t.exposeString('eventName', {
      description: 'The name of the events, which triggers listen to.',
    }),
    triggerUuid: t.expose('triggerId', {
      type: 'UUID',
      nullable: true,
      description: 'The one trigger that its events are for; null for all that listen to their name.',
    }),
    verification: t.field({
      type: WebhookVerificationEnum,
      description: 'How a sender proves itself.',
      resolve: ({ verification }) => verification as Verification,
    }),
    linkUrlField: t.exposeString('linkUrlField', {
      nullable: true,
      description:
        'Records that a database webhook says were inserted become links: the field that holds the URL.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'False: its messages are refused.' }),
    receivedCount: t.field({
      type: 'BigInt',
      description: 'Messages that became events.',
      resolve: ({ receivedCount }) => receivedCount,
    }),
    lastReceivedAt: t.expose('lastReceivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last one came.',
    }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who made it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

export const WebhookEndpointConnection = builder.connectionObject(
  {
    type: WebhookEndpointType,
    name: 'WebhookEndpointConnection',
    description: 'A page of endpoints, newest first.',
  },
  { name: 'WebhookEndpointEdge', description: 'An endpoint with its cursor.' },
);

export const WebhookSourceConnection = builder.connectionObject(
  {
    type: WebhookSourceType,
    name: 'WebhookSourceConnection',
    description: 'A page of sources, newest first.',
  },
  { name: 'WebhookSourceEdge', description: 'A source with its cursor.' },
);
