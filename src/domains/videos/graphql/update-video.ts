import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../../../graphql/types/errors.ts';
import { updateVideo } from '../use-cases/update-video.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

const UpdateVideoInput = builder.inputType('UpdateVideoInput', {
  description: 'Which video to change, and what of it; null and absent leave it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    title: t.string({ description: '1 to 500 characters.' }),
    languages: t.stringList({
      description:
        'Languages of the texts in its pictures, by Tesseract’s names (`eng`, `deu`, `chi_sim`), 1 to 10; only while it is AWAITING_UPLOAD.',
    }),
  }),
});

const UpdateVideoPayload = builder.objectRef<{ readonly videoId: string }>('UpdateVideoPayload').implement({
  description: 'The video is changed.',
  fields: (t) => ({
    video: t.field({
      type: VideoType,
      nullable: true,
      description: 'The video.',
      resolve: ({ videoId }, _args, context) =>
        readBack(context, () => loaderOf(context, videoLoader).load(videoId), `Video ${videoId}`),
    }),
  }),
});

builder.mutationField('updateVideo', (t) =>
  t.field({
    type: UpdateVideoPayload,
    description:
      'Gives a video another title, by which searches find it at once, or other languages before its upload. Members may change their own.',
    args: { input: t.arg({ type: UpdateVideoInput, required: true, description: 'The video.' }) },
    errors: {
      union: { name: 'UpdateVideoResult', description: 'The video, or why it stays as it is.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { id, ...request } }, context) =>
      write(context, async () => {
        const videoId = uuidOf('Video', id, 'id');
        await updateVideo(context.deps.jobs, context.actor, videoId, request);
        return { videoId };
      }),
  }),
);
