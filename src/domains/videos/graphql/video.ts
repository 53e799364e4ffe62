import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { JobErrorType, storedError } from '../../../graphql/types/job-error.ts';
import { JobProgressType } from '../../../graphql/types/job-progress.ts';
import { type VideoUrls, videoUrls } from '../use-cases/video-urls.ts';
import type { VideoStatus } from '../video-status.ts';
import { VideoStatusEnum } from './enums.ts';
import { livePreviewOf } from './live-preview.ts';
import { jobsOfVideoLoader, progressOfVideoLoader, videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

const VideoUrlsType = builder.objectRef<VideoUrls>('VideoUrls').implement({
  description:
    'Signed URLs of a video’s files. They need no token, and stay the same for a while. What is opened before `expiresAt` can be played to its end.',
  fields: (t) => ({
    original: t.exposeString('original', { nullable: true, description: 'The file as uploaded.' }),
    playlist: t.exposeString('playlist', {
      nullable: true,
      description:
        'HLS playlist; what it names is reached by the relative names in it. While the first stream is being made, one that grows (type EVENT): it can be played from its beginning, and goes on to the end.',
    }),
    poster: t.exposeString('poster', { nullable: true, description: 'Still picture, JPEG.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when to open them.' }),
  }),
});

builder.node(VideoType, {
  description: 'A video and what was made of it.',
  id: { resolve: (video) => video.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, videoLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'The plain key, as SQL, logs and object names have it.',
    }),
    title: t.exposeString('title', { description: 'Its title.' }),
    status: t.field({
      type: VideoStatusEnum,
      description: 'Current status.',
      resolve: (video) => video.status as VideoStatus,
    }),
    error: t.field({
      type: JobErrorType,
      nullable: true,
      description: 'Why a stage failed, where one did.',
      resolve: ({ error }) => storedError(error),
    }),
    urls: t.field({
      type: VideoUrlsType,
      description: 'Where its files are.',
      resolve: (video, _args, context) => videoUrls(context.deps.jobs, video, livePreviewOf(video, context)),
    }),
    progress: t.field({
      type: JobProgressType,
      nullable: true,
      description:
        'Progress of the newest of its stages’ jobs that runs; null when none does, or it said nothing yet. `pipeline` has all stages.',
      resolve: (video, _args, context) => loaderOf(context, progressOfVideoLoader).load(video.id),
    }),
    jobs: t.field({
      type: [JobType],
      nullable: true,
      authScopes: { member: true },
      complexity: { field: 1, multiplier: 20 },
      description:
        'The newest 20 jobs about it, newest first; `jobs(filter: { subject })` pages through all.',
      resolve: (video, _args, context) => loaderOf(context, jobsOfVideoLoader).load(video.id),
    }),
    contentType: t.exposeString('contentType', { nullable: true, description: 'Type of the original.' }),
    sizeBytes: t.expose('sizeBytes', {
      type: 'BigInt',
      nullable: true,
      description: 'Size of the original.',
    }),
    // Videos are at most a week long, so this fits an Int, with which a player can compute.
    durationMs: t.int({
      nullable: true,
      description: 'Its length.',
      resolve: (video) => (video.durationMs === null ? null : Number(video.durationMs)),
    }),
    widthPx: t.exposeInt('widthPx', { nullable: true, description: 'Width as displayed.' }),
    heightPx: t.exposeInt('heightPx', { nullable: true, description: 'Height as displayed.' }),
    fps: t.exposeFloat('fps', { nullable: true, description: 'Frames per second.' }),
    createdBy: t.exposeString('ownerId', {
      nullable: true,
      description: 'Who made it: `user:<sub>` or `key:<id>`.',
    }),
    team: t.exposeString('teamId', {
      nullable: true,
      description: 'Whose team’s it is: a key of those who made it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.expose('version', { type: 'BigInt', description: 'Grows with each change of the row.' }),
  }),
});
