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
  QuotaExceeded,
} from '../../../graphql/types/errors.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { DEFAULT_PADDING_MS } from '../use-cases/clip-range.ts';
import { type RequestedClip, requestClip } from '../use-cases/request-clip.ts';
import { ClipType } from './clip-ref.ts';
import { clipLoader } from './loaders.ts';

const RequestClipInput = builder.inputType('RequestClipInput', {
  description: 'A range of a video or of a call, in milliseconds from its start.',
  fields: (t) => ({
    videoId: t.id({ description: 'The video’s global id, or its UUID.' }),
    callId: t.id({
      description: 'In its place, the call’s global id, or its UUID: the clip is of its sound.',
    }),
    startMs: t.int({
      required: true,
      description: 'Where the range begins: before the end of the video or call.',
    }),
    endMs: t.int({
      required: true,
      description: 'Where it ends. A clip that would go on after the video or call ends with it.',
    }),
    paddingMs: t.int({
      required: true,
      defaultValue: DEFAULT_PADDING_MS,
      description: 'Added at either side, as far as the video or call reaches; 0 to 60000.',
    }),
  }),
});

const RequestClipPayload = builder.objectRef<RequestedClip>('RequestClipPayload').implement({
  description: 'The clip is there, or is being made.',
  fields: (t) => ({
    clip: t.field({
      type: ClipType,
      nullable: true,
      description: 'The clip. Watch it with `clipChanged`; once it is ready, fetch its `url`.',
      resolve: ({ clipId }, _args, context) =>
        readBack(context, () => loaderOf(context, clipLoader).load(clipId), `Clip ${clipId}`),
    }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The `clip_generate` job, or `call_clip` of a call; null when it was deleted since.',
      resolve: ({ jobId }, _args, context) => (jobId === null ? null : loadersOf(context).job.load(jobId)),
    }),
    isNew: t.exposeBoolean('created', {
      description: 'False when the clip was there already, or is just being made.',
    }),
  }),
});

builder.mutationField('requestClip', (t) =>
  t.field({
    type: RequestClipPayload,
    description:
      'Asks for a clip. The same range gives the same clip; one that failed, or whose time was up, is made again.',
    args: { input: t.arg({ type: RequestClipInput, required: true, description: 'Which piece.' }) },
    errors: {
      union: { name: 'RequestClipResult', description: 'The clip, or why there is none.' },
      types: [
        NotFound,
        Forbidden,
        ObjectNotFound,
        InvalidArgument,
        DefinitionInactive,
        DedupeBusy,
        QuotaExceeded,
      ],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () =>
        requestClip(context.deps.jobs, context.actor, {
          videoId: input.videoId == null ? null : uuidOf('Video', input.videoId, 'videoId'),
          callId: input.callId == null ? null : uuidOf('Call', input.callId, 'callId'),
          tStartMs: input.startMs,
          tEndMs: input.endMs,
          paddingMs: input.paddingMs,
        }),
      ),
  }),
);
