import { SKIP_REASONS } from '../../core/bulk.ts';
import { cancelJobs } from '../../jobs/cancel-jobs.ts';
import { replayJob } from '../../jobs/replay-job.ts';
import { retryJobs } from '../../jobs/retry-jobs.ts';
import { type BulkOutcome, DEFAULT_SELECTION, MAX_SELECTION } from '../../jobs/select-jobs.ts';
import { updateJob } from '../../jobs/update-job.ts';
import type { RestContext } from '../context.ts';
import { enqueuedJob } from '../enqueue.ts';
import { etagOf, requireMatch } from '../etags.ts';
import { JOB_FILTER, jobFilterOf } from '../job-filter.ts';
import { defineRoute, RestReply } from '../route.ts';
import { Type } from '../schema.ts';
import { EnqueuedJobSchema, JobSchema } from '../schemas/job.ts';
import { timeOf } from '../times.ts';
import { foundJob } from './job-attempts.ts';
import { JOB_PARAMS, jobById } from './jobs.ts';

const update = defineRoute({
  method: 'PATCH',
  path: '/jobs/:job_id',
  operationId: 'updateJob',
  tag: 'Jobs',
  summary: 'Change a job',
  description: 'Priority and time only of a queued one, tags and metadata of any.',
  need: updateJob.need,
  params: JOB_PARAMS,
  body: Type.Object(
    {
      priority: Type.Optional(Type.NullableInteger({ description: '0 to 1000000; lower runs first.' })),
      scheduled_for: Type.Optional(Type.NullableTime({ description: 'Not to be run before.' })),
      tags: Type.Optional(Type.Array(Type.String(), { description: 'Instead of those that it has.' })),
      metadata: Type.Optional(Type.Json({ description: 'Instead of what it has: an object.' })),
    },
    { title: 'UpdateJob', additionalProperties: false },
  ),
  answer: JobSchema,
  errors: ['NotFound', 'WrongState', 'InvalidArgument', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { job_id: '{spare_queued_job_id}' }, body: { priority: 10 }, answer: {} },
  run: async (context, { params, body }) => {
    const { caller, deps, operation } = context;
    const id = params.job_id.toLowerCase();
    await requireMatch(context, async () => String((await foundJob(context, id)).version));
    await updateJob(deps.jobs, caller, id, {
      priority: body.priority,
      scheduledFor: timeOf('scheduled_for', body.scheduled_for),
      tags: body.tags,
      metadata: body.metadata,
    });
    await operation.renew();
    const job = await jobById(context, id);
    return new RestReply(job, { headers: { etag: etagOf(job.version) } });
  },
});

const replay = defineRoute({
  method: 'POST',
  path: '/jobs/:job_id/replay',
  operationId: 'replayJob',
  tag: 'Jobs',
  summary: 'Make a new job from one that has ended',
  need: replayJob.need,
  params: JOB_PARAMS,
  body: Type.Object(
    {
      payload: Type.Optional(Type.Json({ description: 'Instead of what the ended one was given.' })),
      priority: Type.Optional(Type.NullableInteger({ description: 'Instead of the ended one’s.' })),
      scheduled_for: Type.Optional(
        Type.NullableTime({ description: 'Not to be run before; now by default.' }),
      ),
    },
    { title: 'ReplayJob', additionalProperties: false },
  ),
  isBodyOptional: true,
  maxBodyBytes: 'largest',
  answer: EnqueuedJobSchema,
  status: 201,
  answerHeaders: { location: 'Where the job is.' },
  errors: [
    'NotFound',
    'WrongState',
    'ActiveDuplicate',
    'InvalidPayload',
    'PayloadTooLarge',
    'InvalidArgument',
    'DefinitionInactive',
  ],
  example: {
    params: { job_id: '{spare_canceled_job_id}' },
    body: { payload: { message: 'Once more' } },
    answer: {},
  },
  run: async (context, { params, body }) => {
    const { id } = await replayJob(context.deps.jobs, context.caller, params.job_id.toLowerCase(), {
      payload: body.payload,
      priority: body.priority,
      scheduledFor: timeOf('scheduled_for', body.scheduled_for),
    });
    return new RestReply(await enqueuedJob(context, id), { headers: { location: `/api/v1/jobs/${id}` } });
  },
});

const SELECTION = {
  filter: Type.Object(JOB_FILTER, {
    title: 'JobFilter',
    description: 'Which jobs: at least one condition.',
    additionalProperties: false,
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SELECTION,
      description: `At most N jobs, oldest first; ${DEFAULT_SELECTION} by default.`,
    }),
  ),
  after: Type.Optional(
    Type.String({ description: '`next_cursor` of an earlier call: goes on behind its last job.' }),
  ),
};

const BulkSchema = Type.Object(
  {
    matched_count: Type.Integer({ description: 'Jobs that the filter chose, up to the limit.' }),
    changed_count: Type.Integer({ description: 'Jobs that were canceled, or are in the queue again.' }),
    requested_count: Type.Integer({ description: 'Running jobs that were asked to stop.' }),
    skipped: Type.Array(
      Type.Object(
        { reason: Type.Words(SKIP_REASONS), count: Type.Integer() },
        { title: 'SkippedJobs', additionalProperties: false },
      ),
      { description: 'Those that were left as they are, by reason.' },
    ),
    has_more: Type.Boolean({ description: 'Whether there are more: call again with `after`.' }),
    next_cursor: Type.NullableString({ description: 'What `after` takes.' }),
  },
  { title: 'BulkResult', description: 'What was done to the chosen jobs.', additionalProperties: false },
);

const cancelMany = defineRoute({
  method: 'POST',
  path: '/jobs/bulk/cancel',
  operationId: 'cancelJobs',
  tag: 'Jobs',
  summary: 'Cancel many jobs',
  need: cancelJobs.need,
  body: Type.Object(
    { ...SELECTION, reason: Type.Optional(Type.NullableString({ description: 'Why, for people.' })) },
    { title: 'CancelJobs', additionalProperties: false },
  ),
  answer: BulkSchema,
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: { body: { filter: { tags: ['night'] }, limit: 100, reason: 'Not tonight' }, answer: {} },
  run: async (context, { body: { filter, limit, after, reason } }) =>
    shownOutcome(
      await cancelJobs(bulkDeps(context), context.caller, {
        filter: jobFilterOf(filter, context),
        limit,
        after,
        reason: reason ?? null,
      }),
    ),
});

const retryMany = defineRoute({
  method: 'POST',
  path: '/jobs/bulk/retry',
  operationId: 'retryJobs',
  tag: 'Jobs',
  summary: 'Retry many jobs',
  need: retryJobs.need,
  body: Type.Object(
    {
      ...SELECTION,
      spread_seconds: Type.Optional(
        Type.Integer({ description: 'They become due spread over this time, 0 to 86400; 0 by default.' }),
      ),
    },
    { title: 'RetryJobs', additionalProperties: false },
  ),
  answer: BulkSchema,
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: { body: { filter: { status: ['failed'] }, spread_seconds: 60 }, answer: {} },
  run: async (context, { body: { filter, limit, after, spread_seconds: spreadSeconds } }) =>
    shownOutcome(
      await retryJobs(bulkDeps(context), context.caller, {
        filter: jobFilterOf(filter, context),
        limit,
        after,
        spreadSeconds: spreadSeconds ?? null,
      }),
    ),
});

function bulkDeps({ deps, operation }: RestContext) {
  return { queue: deps.jobs.queue, reads: operation.transaction };
}

function shownOutcome(outcome: BulkOutcome) {
  return {
    matched_count: outcome.matchedCount,
    changed_count: outcome.changedCount,
    requested_count: outcome.requestedCount,
    skipped: SKIP_REASONS.flatMap((reason) => {
      const count = outcome.skipped[reason] ?? 0;
      return count > 0 ? [{ reason, count }] : [];
    }),
    has_more: outcome.hasMore,
    next_cursor: outcome.endCursor,
  };
}

export const jobChangeRoutes = [update, replay, cancelMany, retryMany];
