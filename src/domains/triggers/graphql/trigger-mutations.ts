import { builder } from '../../../graphql/builder.ts';
import { encodeGlobalId, uuidOf } from '../../../graphql/ids.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  NotFound,
  PayloadTooLarge,
  QuotaExceeded,
  UnknownDefinition,
} from '../../../graphql/types/errors.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { findTrigger } from '../use-cases/find-triggers.ts';
import { runScheduleNow } from '../use-cases/run-schedule-now.ts';
import { createTrigger, deleteTrigger, updateTrigger } from '../use-cases/save-trigger.ts';
import { TriggerType } from './refs.ts';
import { CreateTriggerInput, fieldsOfInput, UpdateTriggerInput } from './trigger-input.ts';

const DeleteTriggerInput = builder.inputType('DeleteTriggerInput', {
  description: 'Which trigger to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const RunScheduleNowInput = builder.inputType('RunScheduleNowInput', {
  description: 'Which schedule to run.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const triggerPayload = (name: string) =>
  builder.objectRef<{ readonly triggerId: string }>(name).implement({
    description: 'The trigger as it is now.',
    fields: (t) => ({
      trigger: t.field({
        type: TriggerType,
        nullable: true,
        description: 'The trigger.',
        resolve: ({ triggerId }, _args, context) =>
          readBack(
            context,
            () => findTrigger(context.operation.transaction, context.actor, triggerId),
            `trigger ${triggerId}`,
          ),
      }),
    }),
  });

const DeleteTriggerPayload = builder
  .objectRef<{ readonly triggerId: string }>('DeleteTriggerPayload')
  .implement({
    description: 'The trigger is deleted; its jobs stay.',
    fields: (t) => ({
      deletedTriggerId: t.id({
        description: 'The global id that it had: drop it from caches.',
        resolve: ({ triggerId }) => encodeGlobalId('Trigger', triggerId),
      }),
    }),
  });

const RunScheduleNowPayload = builder
  .objectRef<{ readonly jobId: string }>('RunScheduleNowPayload')
  .implement({
    description: 'A job of the schedule was enqueued.',
    fields: (t) => ({
      job: t.field({
        type: JobType,
        nullable: true,
        description: 'The job.',
        resolve: ({ jobId }, _args, context) =>
          readBack(context, (loaders) => loaders.job.load(jobId), `job ${jobId}`),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createTrigger: t.field({
    type: triggerPayload('CreateTriggerPayload'),
    description: 'Makes a trigger. For tenant admins.',
    args: { input: t.arg({ type: CreateTriggerInput, required: true, description: 'The trigger.' }) },
    errors: {
      union: { name: 'CreateTriggerResult', description: 'The trigger, or why there is none.' },
      types: [Forbidden, InvalidArgument, InvalidPayload, PayloadTooLarge, UnknownDefinition, QuotaExceeded],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({
        triggerId: await createTrigger(context.deps.jobs, context.actor, {
          ...fieldsOfInput(input),
          label: input.label,
          definitionKey: input.definition,
        }),
      })),
  }),
  updateTrigger: t.field({
    type: triggerPayload('UpdateTriggerPayload'),
    description: 'Changes a trigger, or enables or disables it. For tenant admins.',
    args: { input: t.arg({ type: UpdateTriggerInput, required: true, description: 'What to change.' }) },
    errors: {
      union: { name: 'UpdateTriggerResult', description: 'The trigger, or why it stays as it is.' },
      types: [Forbidden, InvalidArgument, InvalidPayload, PayloadTooLarge, UnknownDefinition, NotFound],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const triggerId = uuidOf('Trigger', input.id);
        const { label, ...fields } = fieldsOfInput(input);
        await updateTrigger(context.deps.jobs, context.actor, triggerId, {
          ...fields,
          ...(label != null && { label }),
        });
        return { triggerId };
      }),
  }),
  deleteTrigger: t.field({
    type: DeleteTriggerPayload,
    description: 'Deletes a trigger and the record of its runs. For tenant admins.',
    args: { input: t.arg({ type: DeleteTriggerInput, required: true, description: 'The trigger.' }) },
    errors: {
      union: { name: 'DeleteTriggerResult', description: 'The id of what was deleted, or why it stays.' },
      types: [Forbidden, InvalidArgument, NotFound],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const triggerId = uuidOf('Trigger', input.id);
        await deleteTrigger(context.deps.jobs, context.actor, triggerId);
        return { triggerId };
      }),
  }),
  runScheduleNow: t.field({
    type: RunScheduleNowPayload,
    description:
      'Enqueues one job of a schedule at once, enabled or not, beside its runs. For tenant admins.',
    args: { input: t.arg({ type: RunScheduleNowInput, required: true, description: 'The schedule.' }) },
    errors: {
      union: { name: 'RunScheduleNowResult', description: 'The job, or why there is none.' },
      types: [Forbidden, InvalidArgument, InvalidPayload, NotFound, DefinitionInactive],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({
        jobId: await runScheduleNow(context.deps.jobs, context.actor, uuidOf('Trigger', input.id)),
      })),
  }),
}));
