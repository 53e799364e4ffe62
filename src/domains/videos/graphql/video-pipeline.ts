import type { JobRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { loaderOf, loadersOf } from '../../../graphql/context.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { StageStatusEnum } from '../../../graphql/types/stage-status.ts';
import type { PipelineStage, VideoPipeline } from '../pipeline/video-pipeline.ts';
import { VideoStageEnum } from './enums.ts';
import { pipelineOfVideoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

const PipelineStageType = builder.objectRef<PipelineStage>('PipelineStage').implement({
  description: 'A stage of a video’s pipeline.',
  fields: (t) => ({
    stage: t.expose('stage', { type: VideoStageEnum, description: 'Which.' }),
    status: t.expose('status', { type: StageStatusEnum, description: 'Current status.' }),
    percent: t.exposeFloat('percent', {
      nullable: true,
      description: '0 to 100; null while the length of the work is unknown.',
    }),
    etaSeconds: t.exposeFloat('etaSeconds', {
      nullable: true,
      description: 'Seconds that it still needs; null where nobody can know, and when it is not running.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its first job was started.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its last job ended.',
    }),
    jobs: t.field({
      type: [JobType],
      authScopes: { member: true },
      complexity: { field: 1, multiplier: 20 },
      description: 'Its jobs, in the order they were made: one, but for the reading of a long video.',
      resolve: async ({ jobIds }, _args, context) => {
        const jobs = await loadersOf(context).job.loadMany(jobIds);
        return jobs.filter((job): job is JobRow => job !== null && !(job instanceof Error));
      },
    }),
  }),
});

const VideoPipelineType = builder.objectRef<VideoPipeline>('VideoPipeline').implement({
  description: 'How far a video is on its way to be searched, over all its stages.',
  fields: (t) => ({
    percent: t.exposeFloat('percent', { description: '0 to 100, of the whole way.' }),
    etaSeconds: t.exposeFloat('etaSeconds', {
      nullable: true,
      description:
        'Seconds until the video is ready, by how fast it went so far; null before that can be said, and at the end.',
    }),
    stage: t.expose('stage', {
      type: VideoStageEnum,
      nullable: true,
      description: 'What it is at; null before its upload and at the end.',
    }),
    stages: t.expose('stages', { type: [PipelineStageType], description: 'All stages, in their order.' }),
  }),
});

builder.objectField(VideoType, 'pipeline', (t) =>
  t.field({
    type: VideoPipelineType,
    nullable: true,
    complexity: { field: 5 },
    description:
      'Its way from upload to ready; `videoChanged` reports every step. Null while nothing has been enqueued, and once its jobs are deleted.',
    resolve: ({ id }, _args, context) => loaderOf(context, pipelineOfVideoLoader).load(id),
  }),
);
