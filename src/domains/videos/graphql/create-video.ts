import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Forbidden, InvalidArgument, ObjectTooLarge, QuotaExceeded } from '../../../graphql/types/errors.ts';
import { VIDEO_CONTENT_TYPES } from '../uploads/video-content-types.ts';
import { type CreatedVideo, createVideo } from '../use-cases/create-video.ts';
import { videoLoader } from './loaders.ts';
import { VideoProcessingInput } from './processing.ts';
import { VideoType } from './video-ref.ts';

const CreateVideoInput = builder.inputType('CreateVideoInput', {
  description: 'The video that is going to be uploaded.',
  fields: (t) => ({
    title: t.string({ required: true, description: '1 to 500 characters.' }),
    fileName: t.string({ description: 'Name of the file; only its extension is used.' }),
    contentType: t.string({
      description: `${[...VIDEO_CONTENT_TYPES].map((type) => `\`${type}\``).join(', ')}. When given, the upload must be sent with this type.`,
    }),
    sizeBytes: t.field({
      type: 'BigInt',
      description:
        'Its size, to be refused before the upload and not after; then also the most that the upload takes, and into a bucket its exact size.',
    }),
    languages: t.stringList({
      description:
        'Languages of the texts in its pictures, by Tesseract’s names (`eng`, `deu`, `chi_sim`), 1 to 10; by default those of the configuration.',
    }),
    team: t.string({ description: 'Whose team’s it is: a key of your own, 1 to 255 characters.' }),
    processing: t.field({
      type: VideoProcessingInput,
      description: 'How its pictures are looked at and its texts read.',
    }),
  }),
});

const UploadHeader = builder.objectRef<{ name: string; value: string }>('UploadHeader').implement({
  description: 'A header to send with an upload.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const UploadTarget = builder.objectRef<CreatedVideo>('UploadTarget').implement({
  description: 'Where and how to put a file. The URL carries its own permission and needs no token.',
  fields: (t) => ({
    method: t.string({ description: 'HTTP method: `PUT`.', resolve: ({ upload }) => upload.method }),
    url: t.string({ description: 'Put the file’s bytes here.', resolve: ({ upload }) => upload.url }),
    headers: t.field({
      type: [UploadHeader],
      description: 'Headers to send.',
      resolve: ({ upload }) => Object.entries(upload.headers).map(([name, value]) => ({ name, value })),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Until when the URL is good; an upload that has begun may end later.',
      resolve: ({ upload }) => upload.expiresAt,
    }),
    maxSizeBytes: t.field({
      type: 'BigInt',
      description: 'A larger file is refused; it may still go up in pieces (`resumableUpload`).',
      resolve: ({ maxSizeBytes }) => BigInt(maxSizeBytes),
    }),
  }),
});

const ResumableUpload = builder.objectRef<CreatedVideo['resumable']>('ResumableUpload').implement({
  description:
    'Where an upload in pieces begins, by the tus protocol. The URL carries its own permission and needs no token.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description: 'The endpoint for a tus client: it is answered with the URL of the upload itself.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when an upload may begin; one that has begun has its own time.',
    }),
    maxSizeBytes: t.field({
      type: 'BigInt',
      description: 'A larger file is refused.',
      resolve: ({ maxSizeBytes }) => BigInt(maxSizeBytes),
    }),
  }),
});

const CreateVideoPayload = builder.objectRef<CreatedVideo>('CreateVideoPayload').implement({
  description: 'The video waits for its upload.',
  fields: (t) => ({
    video: t.field({
      type: VideoType,
      nullable: true,
      description: 'The video.',
      resolve: ({ videoId }, _args, context) =>
        readBack(context, () => loaderOf(context, videoLoader).load(videoId), `Video ${videoId}`),
    }),
    upload: t.field({
      type: UploadTarget,
      description: 'Where to put the file; then call `completeVideoUpload`.',
      resolve: (created) => created,
    }),
    resumableUpload: t.field({
      type: ResumableUpload,
      description:
        'The other way to upload it: in pieces, going on where a connection broke. Its end completes the upload by itself.',
      resolve: ({ resumable }) => resumable,
    }),
  }),
});

builder.mutationField('createVideo', (t) =>
  t.field({
    type: CreateVideoPayload,
    description: 'Makes a video and the signed URL for its upload.',
    args: { input: t.arg({ type: CreateVideoInput, required: true, description: 'The video.' }) },
    errors: {
      union: { name: 'CreateVideoResult', description: 'The video, or why there is none.' },
      types: [Forbidden, InvalidArgument, ObjectTooLarge, QuotaExceeded],
    },
    resolve: (_root, { input }, context) =>
      write(context, () => createVideo(context.deps.jobs, context.actor, input)),
  }),
);
