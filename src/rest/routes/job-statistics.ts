import { readJobStatistics } from '../../operations/job-statistics.ts';
import { defineRoute } from '../route.ts';
import { Type } from '../schema.ts';
import { timeText } from '../shown-job.ts';

const StatisticsSchema = Type.Object(
  {
    since_seconds: Type.Integer({ description: 'The window that was asked for.' }),
    job_count: Type.Integer({ description: 'Jobs that were looked at, at most 5,000.' }),
    finished_after: Type.Time({
      description:
        'All jobs that ended from this time on were looked at: the start of the window, or later where it holds 5,000 of them or more.',
    }),
    definitions: Type.Array(
      Type.Object(
        {
          definition_key: Type.String(),
          ended_count: Type.Integer({ description: 'Jobs that ended, however.' }),
          failed_count: Type.Integer({ description: 'How many of those failed or are dead letters.' }),
          median_wait_ms: Type.NullableNumber({
            description:
              'Half of them waited no longer from when they were due to the start of their last run.',
          }),
          p95_wait_ms: Type.NullableNumber({ description: 'The same of 95 in 100.' }),
          median_run_ms: Type.NullableNumber({ description: 'The last run of half of them took no longer.' }),
          p95_run_ms: Type.NullableNumber({ description: 'The same of 95 in 100.' }),
        },
        { title: 'JobDefinitionStatistics', additionalProperties: false },
      ),
      { description: 'By definition; those of which no job ended are omitted.' },
    ),
    intervals: Type.Array(
      Type.Object(
        {
          starts_at: Type.Time({ description: 'When the part began.' }),
          ended_count: Type.Integer({ description: 'Jobs that ended, however.' }),
          failed_count: Type.Integer({ description: 'How many of those failed or are dead letters.' }),
        },
        { title: 'JobInterval', additionalProperties: false },
      ),
      { description: '60 equal parts of the window, the oldest first.' },
    ),
    failures: Type.Array(
      Type.Object(
        {
          definition_key: Type.String(),
          error_type: Type.String({ description: 'Type of the errors.' }),
          message: Type.String({ description: 'Message of the last one, its first 500 characters.' }),
          job_count: Type.Integer({ description: 'How many jobs.' }),
          last_failed_at: Type.Time({ description: 'When the last one failed.' }),
          last_job_id: Type.String({ description: 'The last one.' }),
        },
        { title: 'JobFailureGroup', additionalProperties: false },
      ),
      { description: 'The 20 most frequent errors, the most frequent first.' },
    ),
  },
  { title: 'JobStatistics', description: 'How jobs went recently.', additionalProperties: false },
);

const statistics = defineRoute({
  method: 'GET',
  path: '/jobs/statistics',
  operationId: 'getJobStatistics',
  tag: 'Jobs',
  summary: 'Show how long jobs waited and ran recently, and why some failed',
  need: readJobStatistics.need,
  query: Type.Object(
    {
      since_seconds: Type.Optional(
        Type.Integer({
          description: 'The window: 60, 300, 900, 3600, 21600 or 86400 seconds; 3600 by default.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: StatisticsSchema,
  errors: ['InvalidArgument'],
  example: { query: { since_seconds: 3600 }, answer: {} },
  run: async ({ operation, caller }, { query }) => {
    const found = await readJobStatistics(operation.transaction, caller, query.since_seconds);
    return {
      since_seconds: found.sinceSeconds,
      job_count: found.job_count,
      finished_after: timeText(found.since),
      definitions: found.definitions.map(({ key, ended, failed, wait_ms: waitMs, run_ms: runMs }) => ({
        definition_key: key,
        ended_count: ended,
        failed_count: failed,
        median_wait_ms: waitMs?.[0] ?? null,
        p95_wait_ms: waitMs?.[1] ?? null,
        median_run_ms: runMs?.[0] ?? null,
        p95_run_ms: runMs?.[1] ?? null,
      })),
      intervals: found.intervals.map(({ startsAt, ended, failed }) => ({
        starts_at: timeText(startsAt),
        ended_count: ended,
        failed_count: failed,
      })),
      failures: found.failures.map(({ key, type, message, jobs, last_at: lastAt, job_id: jobId }) => ({
        definition_key: key,
        error_type: type ?? 'Error',
        message: message ?? '',
        job_count: jobs,
        last_failed_at: timeText(new Date(lastAt)),
        last_job_id: jobId,
      })),
    };
  },
});

export const statisticsRoutes = [statistics];
