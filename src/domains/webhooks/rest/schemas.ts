import { pageSchema } from '../../../rest/pages.ts';
import { Type } from '../../../rest/schema.ts';
import { VERIFICATIONS } from '../use-cases/sources.ts';

const { Object: Obj, Optional } = Type;

export const EndpointSchema = Obj(
  {
    id: Type.Uuid({
      description: 'Its key: `endpoint` in the payload template of a trigger of `deliver-webhook`.',
    }),
    label: Type.String({ description: 'What people call it.' }),
    url: Type.String({ description: 'The address.' }),
    paused_at: Type.NullableTime({ description: 'Since when it is paused; null while it delivers.' }),
    pause_reason: Type.NullableString({ description: 'Why it is paused.' }),
    pause_after_seconds: Type.Integer({
      description:
        'It is paused by itself when it has failed for this long, with at least 20 failures in a row.',
    }),
    consecutive_failures: Type.Integer({ description: 'Failures in a row.' }),
    failing_since: Type.NullableTime({ description: 'Since when it fails.' }),
    last_delivered_at: Type.NullableTime({ description: 'When something was last delivered.' }),
    created_by: Type.NullableString({ description: 'Who made it.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
  },
  {
    title: 'WebhookEndpoint',
    description: 'An address that events are delivered to.',
    additionalProperties: false,
  },
);

export const EndpointsSchema = pageSchema('WebhookEndpointPage', EndpointSchema);

export const CreateEndpointSchema = Obj(
  {
    label: Type.String({ description: 'What people call it: 1 to 200 characters.' }),
    url: Type.String({ description: 'A public http or https URL.' }),
    pause_after_seconds: Optional(Type.Integer({ description: '60 to 2592000; 86400 by default.' })),
  },
  { title: 'CreateWebhookEndpoint', additionalProperties: false },
);

export const UpdateEndpointSchema = Obj(
  {
    label: Optional(Type.String({ description: '1 to 200 characters.' })),
    url: Optional(Type.String({ description: 'A public http or https URL.' })),
    pause_after_seconds: Optional(Type.Integer({ description: '60 to 2592000.' })),
    is_paused: Optional(Type.Boolean({ description: 'False lets it deliver again.' })),
  },
  { title: 'UpdateWebhookEndpoint', additionalProperties: false },
);

export const SecretSchema = Obj(
  {
    id: Type.Uuid({ description: 'Its key.' }),
    secret: Type.String({ description: 'The secret, shown here and never again.' }),
  },
  { title: 'WebhookSecret', additionalProperties: false },
);

export const RotateSchema = Obj(
  {
    overlap_seconds: Optional(
      Type.Integer({ description: 'How long the old secret stays good: 0 to 604800; 86400 by default.' }),
    ),
  },
  { title: 'RotateWebhookSecret', additionalProperties: false },
);

export const DeliverySchema = Obj(
  {
    id: Type.Uuid({ description: 'Its key.' }),
    message_id: Type.String({
      description: 'The header `webhook-id`: the same for each attempt of one event.',
    }),
    event_name: Type.String({ description: 'Name of the event.' }),
    outcome: Type.Words(['delivered', 'failed', 'skipped'] as const, {
      description: 'How it went; `skipped`: the endpoint was paused.',
    }),
    status_code: Type.NullableInteger({
      description: 'The answer’s status; null where there was no answer.',
    }),
    error: Type.NullableString({ description: 'What went wrong.' }),
    answer: Type.NullableString({ description: 'The beginning of the answer, at most 2000 characters.' }),
    duration_ms: Type.Integer({ description: 'How long it took.' }),
    job_id: Type.Uuid({ description: 'The job that made it.' }),
    attempted_at: Type.Time({ description: 'When it was made.' }),
  },
  { title: 'WebhookDelivery', description: 'An attempt to deliver an event.', additionalProperties: false },
);

export const DeliveriesSchema = pageSchema('WebhookDeliveryPage', DeliverySchema);

export const RedeliverySchema = Obj(
  { job_id: Type.Uuid({ description: 'The job that delivers it.' }) },
  { title: 'WebhookRedelivery', additionalProperties: false },
);

export const SourceSchema = Obj(
  {
    id: Type.Uuid({ description: 'Its key.' }),
    label: Type.String({ description: 'What people call it.' }),
    path: Type.String({
      description:
        'Where to send messages, on this server; with a token as its verification, `/<token>` follows.',
    }),
    event_name: Type.String({ description: 'The name of the events, which triggers listen to.' }),
    trigger_id: Type.NullableUuid({
      description: 'The one trigger that its events are for; null for all that listen to their name.',
    }),
    verification: Type.Words(VERIFICATIONS, { description: 'How a sender proves itself.' }),
    link_url_field: Type.NullableString({
      description:
        'Records that a database webhook says were inserted become links: the field that holds the URL.',
    }),
    is_enabled: Type.Boolean({ description: 'False: its messages are refused.' }),
    received_count: Type.Integer({ description: 'Messages that became events.' }),
    last_received_at: Type.NullableTime({ description: 'When the last one came.' }),
    created_by: Type.NullableString({ description: 'Who made it.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
  },
  { title: 'WebhookSource', description: 'A URL whose messages become events.', additionalProperties: false },
);

export const SourcesSchema = pageSchema('WebhookSourcePage', SourceSchema);

export const CreateSourceSchema = Obj(
  {
    label: Type.String({ description: 'What people call it: 1 to 200 characters.' }),
    event_name: Optional(
      Type.NullableString({
        description: 'The name of the events, which triggers listen to. Or `trigger_id`.',
      }),
    ),
    trigger_id: Optional(
      Type.NullableUuid({
        description: 'A trigger that listens to events: a URL of its own, whose events are for it alone.',
      }),
    ),
    verification: Type.Words(VERIFICATIONS, {
      description:
        'How a sender proves itself: the headers of Standard Webhooks, `X-Hub-Signature-256`, or a token in the path.',
    }),
    secret: Optional(
      Type.NullableString({
        description: 'One that the other side has chosen, 16 to 200 characters. Not for `token`.',
      }),
    ),
    link_url_field: Optional(
      Type.NullableString({
        description:
          'Makes a link of each record that a database webhook says was inserted: the field of the record that holds the URL, 1 to 200 characters.',
      }),
    ),
  },
  { title: 'CreateWebhookSource', additionalProperties: false },
);

export const UpdateSourceSchema = Obj(
  {
    label: Optional(Type.String({ description: '1 to 200 characters.' })),
    event_name: Optional(Type.String({ description: 'The name of the events.' })),
    is_enabled: Optional(Type.Boolean({ description: 'False refuses its messages.' })),
  },
  { title: 'UpdateWebhookSource', additionalProperties: false },
);
