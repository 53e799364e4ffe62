import { type JobStatistics, readJobStatistics } from '../../operations/job-statistics.ts';
import { builder } from '../builder.ts';
import { SINCE_SECONDS } from '../types/job-summary.ts';

type Figure = 'wait_ms' | 'run_ms';
const figure =
  (name: Figure, at: 0 | 1) =>
  (times: JobStatistics['definitions'][number]): number | null =>
    times[name]?.[at] ?? null;

const DefinitionStatistics = builder
  .objectRef<JobStatistics['definitions'][number]>('JobDefinitionStatistics')
  .implement({
    description: 'How jobs of one definition went.',
    fields: (t) => ({
      definitionKey: t.exposeString('key', { description: 'Key of the definition.' }),
      endedCount: t.exposeInt('ended', { description: 'Jobs that ended, however.' }),
      failedCount: t.exposeInt('failed', { description: 'How many of those failed or are dead letters.' }),
      medianWaitMs: t.float({
        nullable: true,
        description: 'Half of them waited no longer from when they were due to the start of their last run.',
        resolve: figure('wait_ms', 0),
      }),
      p95WaitMs: t.float({
        nullable: true,
        description: 'The same of 95 in 100.',
        resolve: figure('wait_ms', 1),
      }),
      medianRunMs: t.float({
        nullable: true,
        description: 'The last run of half of them took no longer.',
        resolve: figure('run_ms', 0),
      }),
      p95RunMs: t.float({
        nullable: true,
        description: 'The same of 95 in 100.',
        resolve: figure('run_ms', 1),
      }),
    }),
  });

const Interval = builder.objectRef<JobStatistics['intervals'][number]>('JobInterval').implement({
  description: 'How many jobs ended in a part of a window.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the part began.' }),
    endedCount: t.exposeInt('ended', { description: 'Jobs that ended, however.' }),
    failedCount: t.exposeInt('failed', { description: 'How many of those failed or are dead letters.' }),
  }),
});

const FailureGroup = builder.objectRef<JobStatistics['failures'][number]>('JobFailureGroup').implement({
  description:
    'Jobs of one definition that failed alike: errors of one type whose messages differ in numbers alone.',
  fields: (t) => ({
    definitionKey: t.exposeString('key', { description: 'Key of the definition.' }),
    errorType: t.string({ description: 'Type of the errors.', resolve: ({ type }) => type ?? 'Error' }),
    message: t.string({
      description: 'Message of the last one, its first 500 characters.',
      resolve: ({ message }) => message ?? '',
    }),
    jobCount: t.exposeInt('jobs', { description: 'How many jobs.' }),
    lastFailedAt: t.field({
      type: 'DateTime',
      description: 'When the last one failed.',
      resolve: ({ last_at }) => new Date(last_at),
    }),
    lastJobUuid: t.expose('job_id', { type: 'UUID', description: 'The last one.' }),
  }),
});

const StatisticsType = builder.objectRef<JobStatistics>('JobStatistics').implement({
  description:
    'How the jobs of the tenant went that ended within a window of time: the newest 5,000 of them.',
  fields: (t) => ({
    sinceSeconds: t.exposeInt('sinceSeconds', { description: 'The window that was asked for.' }),
    jobCount: t.exposeInt('job_count', { description: 'Jobs that were looked at.' }),
    finishedAfter: t.expose('since', {
      type: 'DateTime',
      description:
        'All jobs that ended from this time on were looked at: the start of the window, or later where it holds 5,000 of them or more.',
    }),
    definitions: t.expose('definitions', {
      type: [DefinitionStatistics],
      description: 'By definition, in the order of keys; those of which no job ended are omitted.',
    }),
    intervals: t.expose('intervals', {
      type: [Interval],
      description: 'By time: 60 equal parts of the window, the oldest first.',
    }),
    failures: t.expose('failures', {
      type: [FailureGroup],
      description: 'The 20 most frequent errors, the most frequent first.',
    }),
  }),
});

builder.queryField('jobStatistics', (t) =>
  t.field({
    type: StatisticsType,
    nullable: true,
    authScopes: { member: true },
    // One statement that reads at most 5,000 rows.
    complexity: { field: 50, multiplier: 1 },
    description: 'How long jobs of the tenant waited and ran recently, how many ended, and why some failed.',
    args: { sinceSeconds: t.arg.int({ description: SINCE_SECONDS }) },
    resolve: (_root, { sinceSeconds }, { actor, operation }) =>
      readJobStatistics(operation.transaction, actor, sinceSeconds ?? undefined),
  }),
);
