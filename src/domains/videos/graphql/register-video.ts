import { builder } from '../../../graphql/builder.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  AlreadyExists,
  DedupeBusy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  ObjectNotFound,
  ObjectTooLarge,
} from '../../../graphql/types/errors.ts';
import { registerVideo } from '../use-cases/register-video.ts';
import { completedUploadPayload } from './completed-upload-payload.ts';
import { VideoProcessingInput } from './processing.ts';

const RegisterVideoInput = builder.inputType('RegisterVideoInput', {
  description: 'An original that lies in the store already.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: 'Its key: `videos/original/{uuid}/{file}`; the UUID becomes the video’s.',
    }),
    title: t.string({ description: '1 to 500 characters; by default the file’s name.' }),
    languages: t.stringList({ description: 'As in `CreateVideoInput`.' }),
    team: t.string({ description: 'As in `CreateVideoInput`.' }),
    processing: t.field({ type: VideoProcessingInput, description: 'As in `CreateVideoInput`.' }),
  }),
});

const RegisterVideoPayload = completedUploadPayload('RegisterVideoPayload', {
  payload: 'The video is there and its transcoding is in the queue.',
  isNew: 'False when it had been registered before.',
});

builder.mutationField('registerVideo', (t) =>
  t.field({
    type: RegisterVideoPayload,
    description:
      'Makes a video of a file that was placed in the store by other means. Only in the tenant that `MILLRACE_SCAN_TENANT` names, and for super admins; calling it again changes nothing.',
    args: { input: t.arg({ type: RegisterVideoInput, required: true, description: 'The file.' }) },
    errors: {
      union: { name: 'RegisterVideoResult', description: 'The video, or why there is none.' },
      types: [
        Forbidden,
        InvalidArgument,
        ObjectNotFound,
        ObjectTooLarge,
        AlreadyExists,
        DefinitionInactive,
        DedupeBusy,
      ],
    },
    resolve: (_root, { input }, context) =>
      write(context, () => registerVideo(context.deps.jobs, context.actor, input)),
  }),
);
