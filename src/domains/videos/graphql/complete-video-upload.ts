import { builder } from '../../../graphql/builder.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  DedupeBusy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  NotFound,
  ObjectNotFound,
  ObjectTooLarge,
  QuotaExceeded,
} from '../../../graphql/types/errors.ts';
import { completeVideoUpload } from '../uploads/complete-video-upload.ts';
import { completedUploadPayload } from './completed-upload-payload.ts';

const CompleteVideoUploadInput = builder.inputType('CompleteVideoUploadInput', {
  description: 'Whose upload is complete.',
  fields: (t) => ({ videoId: t.id({ required: true, description: 'The video’s global id, or its UUID.' }) }),
});

const CompleteVideoUploadPayload = completedUploadPayload('CompleteVideoUploadPayload', {
  payload: 'The original is there and its transcoding is in the queue.',
  isNew: 'False when the upload had been completed before.',
});

builder.mutationField('completeVideoUpload', (t) =>
  t.field({
    type: CompleteVideoUploadPayload,
    description:
      'Says that the original is uploaded; enqueues `transcode`. Calling it again changes nothing.',
    args: { input: t.arg({ type: CompleteVideoUploadInput, required: true, description: 'The video.' }) },
    errors: {
      union: {
        name: 'CompleteVideoUploadResult',
        description: 'The video and its job, or why there is none.',
      },
      types: [
        NotFound,
        Forbidden,
        ObjectNotFound,
        ObjectTooLarge,
        QuotaExceeded,
        InvalidArgument,
        DefinitionInactive,
        DedupeBusy,
      ],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () =>
        completeVideoUpload(context.deps.jobs, context.actor, uuidOf('Video', input.videoId, 'videoId')),
      ),
  }),
);
