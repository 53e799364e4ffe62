import { builder } from '../../../graphql/builder.ts';
import { encodeGlobalId, uuidOf } from '../../../graphql/ids.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../../../graphql/types/errors.ts';
import { deleteClip } from '../use-cases/delete-clip.ts';

const DeleteClipInput = builder.inputType('DeleteClipInput', {
  description: 'Which clip to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const DeleteClipPayload = builder.objectRef<{ readonly clipId: string }>('DeleteClipPayload').implement({
  description: 'The clip is deleted.',
  fields: (t) => ({
    deletedClipId: t.id({
      description: 'The global id that it had: drop it from caches.',
      resolve: ({ clipId }) => encodeGlobalId('Clip', clipId),
    }),
  }),
});

builder.mutationField('deleteClip', (t) =>
  t.field({
    type: DeleteClipPayload,
    description:
      'Deletes a clip and its file for good, and cancels the job that makes it. Members may delete their own.',
    args: { input: t.arg({ type: DeleteClipInput, required: true, description: 'The clip.' }) },
    errors: {
      union: { name: 'DeleteClipResult', description: 'The id of what was deleted, or why it stays.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const clipId = uuidOf('Clip', input.id, 'id');
        await deleteClip(context.deps.jobs, context.actor, clipId);
        return { clipId };
      }),
  }),
);
