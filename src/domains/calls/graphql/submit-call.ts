import { builder } from '../../../graphql/builder.ts';
import { loaderOf, loadersOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
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
import { JobType } from '../../../graphql/types/job.ts';
import { completeCallUpload } from '../use-cases/complete-call-upload.ts';
import { type SubmittedCall, submitCall } from '../use-cases/submit-call.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

const CallUploadInput = builder.inputType('CallUploadInput', {
  description: 'A recording that is going to be uploaded.',
  fields: (t) => ({
    fileName: t.string({ description: 'Name of the file; the title where none is given.' }),
    contentType: t.string({
      description:
        '`audio/…`, `video/…` or `application/octet-stream`. When given, the upload must be sent with this type.',
    }),
    sizeBytes: t.field({
      type: 'BigInt',
      description: 'Its size; then also the most that the upload takes.',
    }),
  }),
});

const CallRecordingInput = builder.inputType('CallRecordingInput', {
  description: 'Where a recording comes from: exactly one of these.',
  fields: (t) => ({
    upload: t.field({ type: CallUploadInput, description: 'It is put to the URL of the answer.' }),
    url: t.string({ description: 'It is fetched from this public address, up to 256 MiB.' }),
    objectKey: t.string({
      description:
        'It lies in the store, below `call-inbox/{tenant id}/`. It stays there, whatever happens to the call.',
    }),
  }),
});

const SubmitCallInput = builder.inputType('SubmitCallInput', {
  description: 'A call.',
  fields: (t) => ({
    recording: t.field({
      type: CallRecordingInput,
      required: true,
      description: 'Sound, or a video with sound.',
    }),
    title: t.string({ description: '1 to 500 characters; by default the name of the file.' }),
    speakers: t.stringList({
      description: 'Names of those who speak, in the order of the channels; at most 20.',
    }),
    language: t.string({ description: 'A language tag such as `en-US`; otherwise the provider finds out.' }),
    metadata: t.field({ type: 'JSON', description: 'An object of at most 16 KiB, returned as it is.' }),
    keepRecording: t.boolean({
      description:
        'False removes an uploaded or fetched recording once its sound is taken out. True by default.',
    }),
  }),
});

const CallUploadHeader = builder.objectRef<{ name: string; value: string }>('CallUploadHeader').implement({
  description: 'A header to send with an upload.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const CallUploadTarget = builder
  .objectRef<NonNullable<SubmittedCall['upload']>>('CallUploadTarget')
  .implement({
    description: 'Where and how to put a recording. The URL carries its own permission and needs no token.',
    fields: (t) => ({
      method: t.exposeString('method', { description: 'HTTP method: `PUT`.' }),
      url: t.exposeString('url', { description: 'Put the file’s bytes here.' }),
      headers: t.field({
        type: [CallUploadHeader],
        description: 'Headers to send.',
        resolve: ({ headers }) => Object.entries(headers).map(([name, value]) => ({ name, value })),
      }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the URL is good.' }),
      maxSizeBytes: t.field({
        type: 'BigInt',
        description: 'A larger file is refused.',
        resolve: ({ maxSizeBytes }) => BigInt(maxSizeBytes),
      }),
    }),
  });

function callPayload(name: string, description: string) {
  return builder.objectRef<SubmittedCall>(name).implement({
    description,
    fields: (t) => ({
      call: t.field({
        type: CallType,
        nullable: true,
        description: 'The call. Watch it with `callChanged`.',
        resolve: ({ callId }, _args, context) =>
          readBack(context, () => loaderOf(context, callLoader).load(callId), `Call ${callId}`),
      }),
      job: t.field({
        type: JobType,
        nullable: true,
        description: 'The `extract_audio` job; null before the upload.',
        resolve: ({ jobId }, _args, context) => (jobId === null ? null : loadersOf(context).job.load(jobId)),
      }),
    }),
  });
}

const SubmitCallPayload = callPayload(
  'SubmitCallPayload',
  'The call is in the queue, or waits for its upload.',
);

builder.objectField(SubmitCallPayload, 'upload', (t) =>
  t.expose('upload', {
    type: CallUploadTarget,
    nullable: true,
    description: 'Where to put the recording; then call `completeCallUpload`. Null for one that is there.',
  }),
);

const CompleteCallUploadPayload = callPayload('CompleteCallUploadPayload', 'The call is in the queue.');

builder.mutationField('submitCall', (t) =>
  t.field({
    type: SubmitCallPayload,
    description: 'Submits a recording to be transcribed and analysed.',
    args: { input: t.arg({ type: SubmitCallInput, required: true, description: 'The call.' }) },
    errors: {
      union: { name: 'SubmitCallResult', description: 'The call, or why there is none.' },
      types: [Forbidden, InvalidArgument, ObjectNotFound, ObjectTooLarge, QuotaExceeded, DefinitionInactive],
    },
    resolve: (_root, { input }, context) =>
      write(context, () => submitCall(context.deps.jobs, context.actor, input)),
  }),
);

const CompleteCallUploadInput = builder.inputType('CompleteCallUploadInput', {
  description: 'Whose upload is complete.',
  fields: (t) => ({ callId: t.id({ required: true, description: 'The call’s global id, or its UUID.' }) }),
});

builder.mutationField('completeCallUpload', (t) =>
  t.field({
    type: CompleteCallUploadPayload,
    description:
      'Says that the recording is uploaded; enqueues `extract_audio`. Calling it again changes nothing.',
    args: { input: t.arg({ type: CompleteCallUploadInput, required: true, description: 'The call.' }) },
    errors: {
      union: { name: 'CompleteCallUploadResult', description: 'The call and its job, or why there is none.' },
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
        completeCallUpload(context.deps.jobs, context.actor, uuidOf('Call', input.callId, 'callId')),
      ),
  }),
);
