import { replayJob } from '../../jobs/replay-job.ts';
import { updateJob } from '../../jobs/update-job.ts';
import { enqueuedJob } from '../enqueue.ts';
import { etagOf, versionMatchOf } from '../etags.ts';
import { defineAction, defineRoute, RestReply } from '../route.ts';
import { Type } from '../schema.ts';
import { EnqueuedJobSchema, JobSchema } from '../schemas/job.ts';
import { timeOf } from '../times.ts';
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
    const change = {
      priority: body.priority,
      scheduledFor: timeOf('scheduled_for', body.scheduled_for),
      tags: body.tags,
      metadata: body.metadata,
    };
    await updateJob(deps.jobs, caller, id, change, versionMatchOf(context));
    await operation.renew();
    const job = await jobById(context, id);
    return new RestReply(job, { headers: { etag: etagOf(job.version) } });
  },
});

const replay = defineAction({
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
    body: { payload: { message: 'Again' } },
    answer: {},
  },
  act: ({ deps, caller }, { params, body }) =>
    replayJob(deps.jobs, caller, params.job_id.toLowerCase(), {
      payload: body.payload,
      priority: body.priority,
      scheduledFor: timeOf('scheduled_for', body.scheduled_for),
    }),
  show: async (context, { id }) =>
    new RestReply(await enqueuedJob(context, id), { headers: { location: `/api/v1/jobs/${id}` } }),
});

export const jobChangeRoutes = [update, replay];
