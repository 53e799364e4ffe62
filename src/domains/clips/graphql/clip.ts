import type { ClipRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { type GraphqlContext, loaderOf, loadersOf } from '../../../graphql/context.ts';
import { written } from '../../../graphql/mutations/write.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { JobErrorType, storedError } from '../../../graphql/types/job-error.ts';
import { JobProgressType } from '../../../graphql/types/job-progress.ts';
import { CallType, callLoader } from '../../calls/api.ts';
import { VideoType, videoLoader } from '../../videos/api.ts';
import { clipStatus } from '../clip-status.ts';
import { ClipType } from './clip-ref.ts';
import { ClipStatusEnum } from './enums.ts';
import { clipLoader } from './loaders.ts';

builder.node(ClipType, {
  description: 'A piece of a video or of a call’s sound, made because somebody asked for it.',
  id: { resolve: (clip) => clip.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, clipLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'The plain key, as SQL, logs and object names have it.',
    }),
    video: t.field({
      type: VideoType,
      nullable: true,
      description: 'The video it is a piece of; null of a call.',
      resolve: ({ videoId }, _args, context) =>
        videoId === null ? null : written(loaderOf(context, videoLoader).load(videoId), `Video ${videoId}`),
    }),
    call: t.field({
      type: CallType,
      nullable: true,
      description: 'The call it is a piece of; null of a video.',
      resolve: ({ callId }, _args, context) =>
        callId === null ? null : written(loaderOf(context, callLoader).load(callId), `Call ${callId}`),
    }),
    status: t.field({
      type: ClipStatusEnum,
      description: 'Current status.',
      resolve: async (clip, _args, context) => {
        const job = clip.status === 'queued' ? await jobOf(clip, context) : null;
        return clipStatus(clip.status, job?.status ?? null);
      },
    }),
    // Within a week, as videos are, so these fit an Int.
    requestedStartMs: t.int({
      description: 'Where the range that was asked for begins.',
      resolve: ({ tStartMs }) => Number(tStartMs),
    }),
    requestedEndMs: t.int({ description: 'Where it ends.', resolve: ({ tEndMs }) => Number(tEndMs) }),
    paddingMs: t.int({
      description: 'What was to be added at either side.',
      resolve: ({ paddingMs }) => Number(paddingMs),
    }),
    error: t.field({
      type: JobErrorType,
      nullable: true,
      description: 'Why it failed.',
      resolve: ({ error }) => storedError(error),
    }),
    progress: t.field({
      type: JobProgressType,
      nullable: true,
      description: 'How far the run that makes it is; null when none does, or it said nothing yet.',
      resolve: async (clip, _args, context) => {
        const job = await jobOf(clip, context);
        if (job?.status !== 'running') return null;
        const progress = await loadersOf(context).progress.load(job.id);
        return progress?.runNo === job.runNo ? progress : null;
      },
    }),
    job: t.field({
      type: JobType,
      nullable: true,
      authScopes: { member: true },
      description: 'The job that makes it, or made it; null when that was deleted.',
      resolve: (clip, _args, context) => jobOf(clip, context),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is deleted; null until it has ended, and for one that is kept forever.',
    }),
    createdBy: t.exposeString('createdBy', {
      nullable: true,
      description: 'Who asked first: `user:<sub>` or `key:<id>`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first asked for.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.expose('version', { type: 'BigInt', description: 'Grows with each change of the row.' }),
  }),
});

async function jobOf({ jobId }: ClipRow, context: GraphqlContext) {
  return jobId === null ? null : await loadersOf(context).job.load(jobId);
}
