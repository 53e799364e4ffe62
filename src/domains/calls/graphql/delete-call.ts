import { builder } from '../../../graphql/builder.ts';
import { encodeGlobalId, uuidOf } from '../../../graphql/ids.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../../../graphql/types/errors.ts';
import { deleteCall } from '../use-cases/delete-call.ts';

const DeleteCallInput = builder.inputType('DeleteCallInput', {
  description: 'Which call to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const DeleteCallPayload = builder.objectRef<{ readonly callId: string }>('DeleteCallPayload').implement({
  description: 'The call is deleted.',
  fields: (t) => ({
    deletedCallId: t.id({
      description: 'The global id that it had: drop it from caches.',
      resolve: ({ callId }) => encodeGlobalId('Call', callId),
    }),
  }),
});

builder.mutationField('deleteCall', (t) =>
  t.field({
    type: DeleteCallPayload,
    description:
      'Deletes a call with its transcript, analysis and files for good, and cancels its jobs. Members may delete their own.',
    args: { input: t.arg({ type: DeleteCallInput, required: true, description: 'The call.' }) },
    errors: {
      union: { name: 'DeleteCallResult', description: 'The id of what was deleted, or why it stays.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const callId = uuidOf('Call', input.id, 'id');
        await deleteCall(context.deps.jobs, context.actor, callId);
        return { callId };
      }),
  }),
);
