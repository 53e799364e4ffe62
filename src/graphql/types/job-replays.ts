import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobType } from './job.ts';

builder.objectFields(JobType, (t) => ({
  replayOf: t.field({
    type: JobType,
    nullable: true,
    description:
      'The ended job that it was made from by `replayJob`; null without one, or when that is deleted.',
    resolve: ({ replayOf }, _args, context) =>
      replayOf === null ? null : loadersOf(context).job.load(replayOf),
  }),
  replays: t.field({
    type: [JobType],
    complexity: { field: 1, multiplier: 5 },
    description: 'The jobs that were made from it by `replayJob`, oldest first, at most 100.',
    resolve: (job, _args, context) => loadersOf(context).replays.load(job.id),
  }),
}));
