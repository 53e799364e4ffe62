import { builder } from '../../../graphql/builder.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  PayloadTooLarge,
} from '../../../graphql/types/errors.ts';
import { emitEvent } from '../use-cases/emit-event.ts';
import { findEvent } from '../use-cases/find-triggers.ts';
import { EventType } from './refs.ts';

const EmitEventInput = builder.inputType('EmitEventInput', {
  description: 'An event of the tenant.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Lower-case words with dots between them: `provider.folder.updated`.',
    }),
    data: t.field({
      type: 'JSON',
      description: 'An object of at most 262144 bytes of JSON; `{}` by default.',
    }),
    correlationId: t.string({ description: 'Carried on to the jobs that it makes: at most 255 characters.' }),
    sourceRef: t.string({ description: 'Where it comes from: at most 1024 characters.' }),
  }),
});

const EmitEventPayload = builder.objectRef<{ readonly eventId: string }>('EmitEventPayload').implement({
  description: 'The event is written; its triggers’ jobs follow.',
  fields: (t) => ({
    event: t.field({
      type: EventType,
      nullable: true,
      description: 'The event.',
      resolve: ({ eventId }, _args, context) =>
        readBack(
          context,
          () => findEvent(context.operation.transaction, context.actor, eventId),
          `event ${eventId}`,
        ),
    }),
  }),
});

builder.mutationField('emitEvent', (t) =>
  t.field({
    type: EmitEventPayload,
    description: 'Writes an event. Triggers that listen to its name make their jobs right after, each once.',
    args: { input: t.arg({ type: EmitEventInput, required: true, description: 'The event.' }) },
    errors: {
      union: { name: 'EmitEventResult', description: 'The event, or why there is none.' },
      types: [Forbidden, InvalidArgument, InvalidPayload, PayloadTooLarge],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({ eventId: await emitEvent(context.deps.jobs, context.actor, input) })),
  }),
);
