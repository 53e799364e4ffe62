import type { JobSummary, StatusCounts } from '../../events/job-summary.ts';
import { builder } from '../builder.ts';

const StatusCountsType = builder.objectRef<StatusCounts>('JobStatusCounts').implement({
  description: 'How many jobs stand where.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'Queued, for now or for later.' }),
    running: t.exposeInt('running', { description: 'Running.' }),
    succeeded: t.exposeInt('succeeded', { description: 'Succeeded within the window.' }),
    failed: t.exposeInt('failed', { description: 'Failed within the window.' }),
    canceled: t.exposeInt('canceled', { description: 'Canceled within the window.' }),
    deadLetter: t.exposeInt('dead_letter', { description: 'Dead-lettered within the window.' }),
  }),
});

const DefinitionSummary = builder
  .objectRef<JobSummary['definitions'][number]>('JobDefinitionSummary')
  .implement({
    description: 'How many jobs of one definition stand where.',
    fields: (t) => ({
      definitionKey: t.exposeString('definitionKey', { description: 'Key of the definition.' }),
      counts: t.expose('counts', { type: StatusCountsType, description: 'Its jobs.' }),
      oldestQueuedAt: t.expose('oldestQueuedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'Since when the oldest of its queued jobs could have run that no worker has taken; null when none waits for a worker.',
      }),
    }),
  });

export const JobSummaryType = builder.objectRef<JobSummary>('JobSummary').implement({
  description:
    'How many jobs of the tenant stand where: all that are queued or running, and those that ended within a window of time.',
  fields: (t) => ({
    counts: t.expose('counts', { type: StatusCountsType, description: 'All jobs.' }),
    definitions: t.expose('definitions', {
      type: [DefinitionSummary],
      description: 'The same by definition, in the order of keys; those without any job are omitted.',
    }),
    oldestQueuedAt: t.expose('oldestQueuedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when the oldest queued job could have run that no worker has taken; null when none waits for a worker.',
    }),
    oldestQueuedSeconds: t.float({
      nullable: true,
      description: 'How long that was when it was counted.',
      resolve: ({ oldestQueuedAt, countedAt }) =>
        oldestQueuedAt === null
          ? null
          : Math.max(0, (countedAt.getTime() - oldestQueuedAt.getTime()) / 1_000),
    }),
    sinceSeconds: t.exposeInt('sinceSeconds', { description: 'The window that was asked for.' }),
    finishedAfter: t.expose('finishedSince', {
      type: 'DateTime',
      description:
        'All jobs that ended from this time on are counted: the start of the window, or later where it holds 100,000 of them or more.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        'False when a million or more are queued or running: those counts then say how many there are at least.',
    }),
    countedAt: t.expose('countedAt', { type: 'DateTime', description: 'When this was so.' }),
  }),
});

export const SINCE_SECONDS =
  'The window of finished jobs: 60, 300, 900, 3600, 21600 or 86400 seconds; 3600 by default.';
