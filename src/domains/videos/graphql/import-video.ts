import { builder } from '../../../graphql/builder.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  QuotaExceeded,
} from '../../../graphql/types/errors.ts';
import { importVideo } from '../use-cases/import-video.ts';
import { completedUploadPayload } from './completed-upload-payload.ts';
import { VideoProcessingInput } from './processing.ts';

const ImportVideoInput = builder.inputType('ImportVideoInput', {
  description: 'A video that lies at a public address.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description:
        'The file’s own URL, `http://` or `https://`. It is shown to nobody afterwards: links to files are often signed.',
    }),
    title: t.string({ description: '1 to 500 characters; by default the file’s name.' }),
    languages: t.stringList({ description: 'As in `CreateVideoInput`.' }),
    team: t.string({ description: 'As in `CreateVideoInput`.' }),
    processing: t.field({ type: VideoProcessingInput, description: 'As in `CreateVideoInput`.' }),
  }),
});

const ImportVideoPayload = completedUploadPayload('ImportVideoPayload', {
  payload: 'The video is there, and the job that fetches its original is in the queue.',
  job: 'The `fetch_original` job.',
  isNew: 'True: each call makes a video of its own.',
});

builder.mutationField('importVideo', (t) =>
  t.field({
    type: ImportVideoPayload,
    description:
      'Makes a video of a file at a public address. A job fetches it, and its pipeline follows by itself; where that fails, the video is `FAILED` with the reason, and a retry of the job fetches it again.',
    args: { input: t.arg({ type: ImportVideoInput, required: true, description: 'The file.' }) },
    errors: {
      union: { name: 'ImportVideoResult', description: 'The video, or why there is none.' },
      types: [Forbidden, InvalidArgument, QuotaExceeded, DefinitionInactive],
    },
    resolve: (_root, { input }, context) =>
      write(context, () => importVideo(context.deps.jobs, context.actor, input)),
  }),
);
