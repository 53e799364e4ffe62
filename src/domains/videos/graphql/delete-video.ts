import { builder } from '../../../graphql/builder.ts';
import { encodeGlobalId, uuidOf } from '../../../graphql/ids.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../../../graphql/types/errors.ts';
import { deleteVideo } from '../use-cases/delete-video.ts';

const DeleteVideoInput = builder.inputType('DeleteVideoInput', {
  description: 'Which video to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const DeleteVideoPayload = builder.objectRef<{ readonly videoId: string }>('DeleteVideoPayload').implement({
  description: 'The video is deleted.',
  fields: (t) => ({
    deletedVideoId: t.id({
      description: 'The global id that it had: drop it from caches.',
      resolve: ({ videoId }) => encodeGlobalId('Video', videoId),
    }),
  }),
});

builder.mutationField('deleteVideo', (t) =>
  t.field({
    type: DeleteVideoPayload,
    description:
      'Deletes a video with its clips, texts and files for good, and cancels its jobs. Nobody can read any of it from now on. Members may delete their own.',
    args: { input: t.arg({ type: DeleteVideoInput, required: true, description: 'The video.' }) },
    errors: {
      union: { name: 'DeleteVideoResult', description: 'The id of what was deleted, or why it stays.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const videoId = uuidOf('Video', input.id, 'id');
        await deleteVideo(context.deps.jobs, context.actor, videoId);
        return { videoId };
      }),
  }),
);
