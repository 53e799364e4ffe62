import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { selectionComplexity } from '../../../graphql/types/bulk.ts';
import { Forbidden, InvalidArgument, NotFound, UnknownDefinition } from '../../../graphql/types/errors.ts';
import { JobFilterInput, jobFilterOf } from '../../../graphql/types/job-filter.ts';
import { startBulkAction } from '../use-cases/start-bulk-action.ts';
import { stopBulkAction } from '../use-cases/stop-bulk-action.ts';
import { bulkActionLoader } from './loaders.ts';
import { BulkActionType, BulkVerbEnum } from './refs.ts';

const StartBulkActionInput = builder.inputType('StartBulkActionInput', {
  description: 'What to do to which jobs. Without `ids` and `statuses`: those to which it can be done.',
  fields: (t) => ({
    verb: t.field({ type: BulkVerbEnum, required: true, description: 'What to do.' }),
    filter: t.field({ type: JobFilterInput, required: true, description: 'At least one condition.' }),
    reason: t.string({
      description: 'For a cancel: the reason in words, kept on the jobs. 1 to 1000 characters.',
    }),
    spreadSeconds: t.float({
      description:
        'For a retry: the jobs become ready at random times within N seconds, 0 to 86400; 0 by default.',
    }),
  }),
});

const StopBulkActionInput = builder.inputType('StopBulkActionInput', {
  description: 'Which bulk action to stop.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const payload = (name: string, description: string) =>
  builder.objectRef<{ readonly actionId: string }>(name).implement({
    description,
    fields: (t) => ({
      bulkAction: t.field({
        type: BulkActionType,
        nullable: true,
        description: 'The bulk action. Watch it with `bulkActionChanged`.',
        resolve: ({ actionId }, _args, context) =>
          readBack(
            context,
            () => loaderOf(context, bulkActionLoader).load(actionId),
            `Bulk action ${actionId}`,
          ),
      }),
    }),
  });

builder.mutationFields((t) => ({
  startBulkAction: t.field({
    type: payload('StartBulkActionPayload', 'It has begun.'),
    description:
      'Begins to cancel or retry all jobs that a filter chooses and that are there now, 500 a transaction. It goes on after a restart of the server. For tenant admins.',
    args: { input: t.arg({ type: StartBulkActionInput, required: true, description: 'What to do.' }) },
    errors: {
      union: { name: 'StartBulkActionResult', description: 'The bulk action, or why there is none.' },
      types: [Forbidden, InvalidArgument, UnknownDefinition],
    },
    complexity: () => selectionComplexity({}),
    resolve: (_root, { input: { verb, filter, reason, spreadSeconds } }, context) =>
      write(context, async () => ({
        actionId: await startBulkAction(
          { ...context.deps.jobs, reads: context.operation.transaction },
          context.actor,
          { verb, filter: jobFilterOf(filter, context), reason, spreadSeconds },
        ),
      })),
  }),
  stopBulkAction: t.field({
    type: payload('StopBulkActionPayload', 'It ends after the batch under way.'),
    description: 'Stops a bulk action; what it has done stays done. For tenant admins.',
    args: { input: t.arg({ type: StopBulkActionInput, required: true, description: 'Which one.' }) },
    errors: {
      union: { name: 'StopBulkActionResult', description: 'The bulk action, or why it goes on.' },
      types: [Forbidden, InvalidArgument, NotFound],
    },
    resolve: (_root, { input: { id } }, context) =>
      write(context, async () => {
        const actionId = uuidOf('BulkAction', id, 'id');
        await stopBulkAction(context.deps.jobs, context.actor, actionId);
        return { actionId };
      }),
  }),
}));
