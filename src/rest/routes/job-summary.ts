import type { StatusCounts } from '../../events/job-summary.ts';
import { readJobSummary } from '../../operations/job-summary.ts';
import { defineRoute } from '../route.ts';
import { Type } from '../schema.ts';
import { timeText } from '../shown-job.ts';

const CountsSchema = Type.Object(
  {
    queued: Type.Integer({ description: 'Queued, for now or for later.' }),
    running: Type.Integer({ description: 'Running.' }),
    succeeded: Type.Integer({ description: 'Succeeded within the window.' }),
    failed: Type.Integer({ description: 'Failed within the window.' }),
    canceled: Type.Integer({ description: 'Canceled within the window.' }),
    dead_letter: Type.Integer({ description: 'Dead-lettered within the window.' }),
  },
  { title: 'JobStatusCounts', additionalProperties: false },
);

const SummarySchema = Type.Object(
  {
    counts: CountsSchema,
    running_count: Type.Integer({ description: 'The same as `counts.running`.' }),
    oldest_queued_age_seconds: Type.NullableNumber({
      description: 'Since when the job that is due longest has been waiting; null when none is due.',
    }),
    definitions: Type.Array(
      Type.Object(
        {
          definition_key: Type.String(),
          counts: CountsSchema,
          oldest_queued_age_seconds: Type.NullableNumber({
            description: 'As that of all, of its jobs alone.',
          }),
        },
        { title: 'JobDefinitionCounts', additionalProperties: false },
      ),
      { description: 'The same by definition; those without any job are omitted.' },
    ),
    since_seconds: Type.Integer({ description: 'The window that was asked for.' }),
    finished_after: Type.Time({
      description:
        'All jobs that ended from this time on are counted: the start of the window, or later where it holds 100,000 of them or more.',
    }),
    is_complete: Type.Boolean({ description: 'False when a million or more are queued or running.' }),
    counted_at: Type.Time({ description: 'When this was so.' }),
  },
  { title: 'JobSummary', description: 'How many jobs stand where.', additionalProperties: false },
);

const summary = defineRoute({
  method: 'GET',
  path: '/jobs/summary',
  operationId: 'getJobSummary',
  tag: 'Jobs',
  summary: 'Count jobs by their statuses',
  need: readJobSummary.need,
  query: Type.Object(
    {
      since_seconds: Type.Optional(
        Type.Integer({
          description:
            'The window of finished jobs: 60, 300, 900, 3600, 21600 or 86400 seconds; 3600 by default.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: SummarySchema,
  errors: ['InvalidArgument'],
  example: { query: { since_seconds: 3600 }, answer: {} },
  run: async ({ deps, caller }, { query }) => {
    const counted = await readJobSummary(deps.feed, caller, query.since_seconds ?? null);
    const { oldestQueuedAt, countedAt } = counted;
    const ageOf = (since: Date | null): number | null =>
      since === null ? null : Math.max(0, (countedAt.getTime() - since.getTime()) / 1_000);
    return {
      counts: countsOf(counted.counts),
      running_count: counted.counts.running,
      oldest_queued_age_seconds: ageOf(oldestQueuedAt),
      definitions: counted.definitions.map(({ definitionKey, counts, oldestQueuedAt: since }) => ({
        definition_key: definitionKey,
        counts: countsOf(counts),
        oldest_queued_age_seconds: ageOf(since),
      })),
      since_seconds: counted.sinceSeconds,
      finished_after: timeText(counted.finishedSince),
      is_complete: counted.isComplete,
      counted_at: timeText(counted.countedAt),
    };
  },
});

function countsOf({ queued, running, succeeded, failed, canceled, dead_letter }: StatusCounts) {
  return { queued, running, succeeded, failed, canceled, dead_letter };
}

export const summaryRoutes = [summary];
