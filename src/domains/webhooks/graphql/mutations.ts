import { builder } from '../../../graphql/builder.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  AlreadyExists,
  Forbidden,
  InvalidArgument,
  NotFound,
  QuotaExceeded,
} from '../../../graphql/types/errors.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  removeWebhookEndpoint,
  rotateEndpointSecret,
} from '../use-cases/endpoints.ts';
import { redeliverWebhook } from '../use-cases/redeliver.ts';
import {
  changeWebhookSource,
  createWebhookSource,
  removeWebhookSource,
  rotateSourceSecret,
} from '../use-cases/sources.ts';
import { WebhookVerificationEnum } from './types.ts';

interface Made {
  readonly id: string;
  readonly secret: string;
}

const FAILURES = [Forbidden, InvalidArgument, NotFound];
const UUID = { type: 'UUID', required: true, description: 'Which one.' } as const;

const madePayload = (name: string) =>
  builder.objectRef<Made>(name).implement({
    description: 'It is good from now on.',
    fields: (t) => ({
      uuid: t.field({ type: 'UUID', description: 'Its key.', resolve: ({ id }) => id }),
      secret: t.exposeString('secret', { description: 'Its secret, shown here and never again.' }),
    }),
  });

const keyPayload = (name: string, description: string) =>
  builder.objectRef<{ readonly id: string }>(name).implement({
    description,
    fields: (t) => ({ uuid: t.field({ type: 'UUID', description: 'Its key.', resolve: ({ id }) => id }) }),
  });

const CreateEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'An address that events are to be delivered to.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'What people call it: 1 to 200 characters.' }),
    url: t.string({ required: true, description: 'A public http or https URL.' }),
    pauseAfterSeconds: t.int({
      description:
        'Failing for this long, with at least 20 failures in a row, pauses it: 60 to 2592000; 86400 by default.',
    }),
  }),
});

const UpdateEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'What changes; what is absent or null stays.',
  fields: (t) => ({
    uuid: t.field(UUID),
    label: t.string({ description: '1 to 200 characters.' }),
    url: t.string({ description: 'A public http or https URL.' }),
    pauseAfterSeconds: t.int({ description: '60 to 2592000.' }),
    isPaused: t.boolean({ description: 'False lets it deliver again.' }),
  }),
});

const CreateSourceInput = builder.inputType('CreateWebhookSourceInput', {
  description: 'A URL whose messages are to become events.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'What people call it: 1 to 200 characters.' }),
    eventName: t.string({
      description: 'The name of the events, which triggers listen to. Or `triggerUuid`.',
    }),
    triggerUuid: t.field({
      type: 'UUID',
      description: 'A trigger that listens to events: a URL of its own, whose events are for it alone.',
    }),
    verification: t.field({
      type: WebhookVerificationEnum,
      required: true,
      description: 'How a sender proves itself.',
    }),
    secret: t.string({
      description:
        'One that the other side has chosen, 16 to 200 characters; made here by default. Not for `TOKEN`.',
    }),
    linkUrlField: t.string({
      description:
        'Makes a link of each record that a database webhook says was inserted: the field of the record that holds the URL, 1 to 200 characters.',
    }),
  }),
});

const UpdateSourceInput = builder.inputType('UpdateWebhookSourceInput', {
  description: 'What changes; what is absent or null stays.',
  fields: (t) => ({
    uuid: t.field(UUID),
    label: t.string({ description: '1 to 200 characters.' }),
    eventName: t.string({ description: 'The name of the events.' }),
    isEnabled: t.boolean({ description: 'False refuses its messages.' }),
  }),
});

const rotateInput = (name: string) =>
  builder.inputType(name, {
    description: 'What gets a new secret.',
    fields: (t) => ({
      uuid: t.field(UUID),
      overlapSeconds: t.int({
        description: 'How long the old one stays good: 0 to 604800; 86400 by default.',
      }),
    }),
  });

const keyInput = (name: string) =>
  builder.inputType(name, { description: 'Which one.', fields: (t) => ({ uuid: t.field(UUID) }) });

const result = (what: string, name: string, types: (new () => Error)[] = FAILURES) => ({
  union: { name, description: `${what}, or why not.` },
  types,
});

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: madePayload('CreateWebhookEndpointPayload'),
    description: 'Makes an endpoint that triggers of `deliver-webhook` may deliver to. For tenant admins.',
    args: { input: t.arg({ type: CreateEndpointInput, required: true, description: 'The endpoint.' }) },
    errors: result('The endpoint', 'CreateWebhookEndpointResult', [
      Forbidden,
      InvalidArgument,
      QuotaExceeded,
    ]),
    resolve: (_root, { input }, context) =>
      write(context, () => createWebhookEndpoint(context.deps.jobs, context.actor, input)),
  }),
  updateWebhookEndpoint: t.field({
    type: keyPayload('UpdateWebhookEndpointPayload', 'It is changed.'),
    description: 'Changes, pauses or resumes an endpoint. For tenant admins.',
    args: { input: t.arg({ type: UpdateEndpointInput, required: true, description: 'What changes.' }) },
    errors: result('That it is changed', 'UpdateWebhookEndpointResult'),
    resolve: (_root, { input: { uuid, ...fields } }, context) =>
      write(context, async () => {
        await changeWebhookEndpoint(context.deps.jobs, context.actor, uuid, fields);
        return { id: uuid };
      }),
  }),
  deleteWebhookEndpoint: t.field({
    type: keyPayload('DeleteWebhookEndpointPayload', 'It is gone, with its list of deliveries.'),
    description: 'Deletes an endpoint. For tenant admins.',
    args: {
      input: t.arg({
        type: keyInput('DeleteWebhookEndpointInput'),
        required: true,
        description: 'Which one.',
      }),
    },
    errors: result('That it is gone', 'DeleteWebhookEndpointResult'),
    resolve: (_root, { input: { uuid } }, context) =>
      write(context, async () => {
        await removeWebhookEndpoint(context.deps.jobs, context.actor, uuid);
        return { id: uuid };
      }),
  }),
  rotateWebhookEndpointSecret: t.field({
    type: madePayload('RotateWebhookEndpointSecretPayload'),
    description: 'Gives an endpoint a new secret; the old one stays good for a while. For tenant admins.',
    args: {
      input: t.arg({
        type: rotateInput('RotateWebhookEndpointSecretInput'),
        required: true,
        description: 'Which one.',
      }),
    },
    errors: result('The secret', 'RotateWebhookEndpointSecretResult'),
    resolve: (_root, { input: { uuid, overlapSeconds } }, context) =>
      write(context, async () => ({
        id: uuid,
        secret: await rotateEndpointSecret(context.deps.jobs, context.actor, uuid, overlapSeconds),
      })),
  }),
  redeliverWebhook: t.field({
    type: builder.objectRef<{ readonly jobId: string }>('RedeliverWebhookPayload').implement({
      description: 'It is delivered again.',
      fields: (f) => ({
        jobUuid: f.field({
          type: 'UUID',
          description: 'The job that delivers it.',
          resolve: ({ jobId }) => jobId,
        }),
      }),
    }),
    description: 'Delivers an event again, under the same `webhook-id`. For tenant admins.',
    args: {
      input: t.arg({
        type: keyInput('RedeliverWebhookInput'),
        required: true,
        description: 'One of its attempts.',
      }),
    },
    errors: result('The job', 'RedeliverWebhookResult'),
    resolve: (_root, { input: { uuid } }, context) =>
      write(context, async () => ({ jobId: await redeliverWebhook(context.deps.jobs, context.actor, uuid) })),
  }),
}));

builder.mutationFields((t) => ({
  createWebhookSource: t.field({
    type: madePayload('CreateWebhookSourcePayload'),
    description: 'Makes a URL whose messages become events. For tenant admins.',
    args: { input: t.arg({ type: CreateSourceInput, required: true, description: 'The source.' }) },
    errors: result('The source', 'CreateWebhookSourceResult', [
      Forbidden,
      InvalidArgument,
      NotFound,
      AlreadyExists,
      QuotaExceeded,
    ]),
    resolve: (_root, { input: { triggerUuid, ...source } }, context) =>
      write(context, () =>
        createWebhookSource(context.deps.jobs, context.actor, { ...source, triggerId: triggerUuid }),
      ),
  }),
  updateWebhookSource: t.field({
    type: keyPayload('UpdateWebhookSourcePayload', 'It is changed.'),
    description: 'Changes, enables or disables a source. For tenant admins.',
    args: { input: t.arg({ type: UpdateSourceInput, required: true, description: 'What changes.' }) },
    errors: result('That it is changed', 'UpdateWebhookSourceResult'),
    resolve: (_root, { input: { uuid, ...change } }, context) =>
      write(context, async () => {
        await changeWebhookSource(context.deps.jobs, context.actor, uuid, change);
        return { id: uuid };
      }),
  }),
  deleteWebhookSource: t.field({
    type: keyPayload('DeleteWebhookSourcePayload', 'It is gone; its events stay.'),
    description: 'Deletes a source. For tenant admins.',
    args: {
      input: t.arg({ type: keyInput('DeleteWebhookSourceInput'), required: true, description: 'Which one.' }),
    },
    errors: result('That it is gone', 'DeleteWebhookSourceResult'),
    resolve: (_root, { input: { uuid } }, context) =>
      write(context, async () => {
        await removeWebhookSource(context.deps.jobs, context.actor, uuid);
        return { id: uuid };
      }),
  }),
  rotateWebhookSourceSecret: t.field({
    type: madePayload('RotateWebhookSourceSecretPayload'),
    description:
      'Gives a source a new secret or token; the old one stays good for a while. For tenant admins.',
    args: {
      input: t.arg({
        type: rotateInput('RotateWebhookSourceSecretInput'),
        required: true,
        description: 'Which one.',
      }),
    },
    errors: result('The secret', 'RotateWebhookSourceSecretResult'),
    resolve: (_root, { input: { uuid, overlapSeconds } }, context) =>
      write(context, async () => ({
        id: uuid,
        secret: await rotateSourceSecret(context.deps.jobs, context.actor, uuid, overlapSeconds),
      })),
  }),
}));
