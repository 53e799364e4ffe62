import { DomainError } from '../../core/errors.ts';
import type { EnqueueResult } from '../../core/queue.ts';
import type { Transaction } from '../../db/database.ts';
import { enqueueJob } from '../../jobs/enqueue-job.ts';
import { findJobs, findJobsAtOffset } from '../../jobs/find-jobs.ts';
import type { JobOrder } from '../../jobs/job-order.ts';
import { notFound } from '../../jobs/not-found.ts';
import { readJob } from '../../jobs/read-one.ts';
import type { RestContext } from '../context.ts';
import { enqueuedJob, requestOf } from '../enqueue.ts';
import { etagOf } from '../etags.ts';
import { JOB_FILTER, jobFilterOf } from '../job-filter.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../pages.ts';
import { defineAction, defineRoute, RestReply } from '../route.ts';
import { Type } from '../schema.ts';
import { EnqueuedJobSchema, EnqueueSchema, JobSchema, JobSummarySchema } from '../schemas/job.ts';
import { listedJob, type ShownJob, shownJob } from '../shown-job.ts';

export const JOB_PARAMS = Type.Object({ job_id: Type.Uuid({ description: 'The job’s id.' }) });

const { Optional } = Type;
const ORDERS = {
  created_at: 'created',
  finished_at: 'finished',
  scheduled_for: 'scheduled',
} as const satisfies Record<string, JobOrder['field']>;
const ORDER_NAMES = ['created_at', 'finished_at', 'scheduled_for'] as const satisfies (keyof typeof ORDERS)[];
const DIRECTIONS = ['desc', 'asc'] as const;

const listJobs = defineRoute({
  method: 'GET',
  path: '/jobs',
  operationId: 'listJobs',
  tag: 'Jobs',
  summary: 'List jobs',
  description:
    'Newest first unless `order_by` and `direction` say otherwise. Rows may come in while pages are read: `after` goes on where a page ended whatever happened since, `offset` does not.',
  need: findJobs.need,
  query: Type.Object(
    {
      ...JOB_FILTER,
      ...PAGE_QUERY,
      order_by: Optional(
        Type.Words(ORDER_NAMES, {
          description:
            'By when they were enqueued, the default, by when they ended, where there are only jobs that have ended, or by since when they have been due, where there are only jobs that are due.',
        }),
      ),
      direction: Optional(Type.Words(DIRECTIONS, { description: 'Latest first, `desc`, by default.' })),
      offset: Optional(
        Type.Integer({ description: 'Rows to skip, 0 to 10000; beyond them go on with `after`.' }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('JobPage', JobSummarySchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: {
    query: { status: ['queued', 'running'], definition_key: ['echo'], limit: 20 },
    answer: { data: [], has_more: false, next_cursor: null },
  },
  run: async (context, { query }) => {
    const { caller, operation } = context;
    const { limit, after, offset, order_by, direction, ...filter } = query;
    if (offset !== undefined && after !== undefined)
      throw new DomainError('InvalidArgument', 'offset stands beside after; allowed: one of them.', {
        field: 'offset',
        allowed: 'offset or after, not both',
      });
    const asked = jobFilterOf(filter, context);
    const order: JobOrder = {
      field: ORDERS[order_by ?? 'created_at'],
      direction: direction ?? 'desc',
    };
    const page =
      offset === undefined
        ? await findJobs(operation.transaction, caller, asked, { first: limit, after }, order)
        : await findJobsAtOffset(operation.transaction, caller, asked, { limit, offset }, order);
    const shown = await Promise.all(page.rows.map((job) => listedJob(context, job)));
    return answerPage(context.url, page, shown);
  },
});

const createJob = defineAction({
  method: 'POST',
  path: '/jobs',
  operationId: 'enqueueJob',
  tag: 'Jobs',
  summary: 'Enqueue a job',
  description: 'Its payload is checked against the definition before anything is written.',
  need: enqueueJob.need,
  body: EnqueueSchema,
  maxBodyBytes: 'largest',
  answer: EnqueuedJobSchema,
  status: 201,
  otherStatuses: { 200: 'A job with the same dedupe key was there already: this one.' },
  answerHeaders: { location: 'Where the job is.' },
  errors: [
    'UnknownDefinition',
    'DefinitionInactive',
    'InvalidPayload',
    'PayloadTooLarge',
    'InvalidArgument',
    'DedupeBusy',
  ],
  example: {
    body: { definition_key: 'echo', payload: { message: 'Hello' }, priority: 100 },
    answer: {
      id: '019ae6a1-8f3e-7c1a-b6f2-0d5c6f0f2a11',
      tenant_id: '1efe049f-ae71-4226-97be-236b4df4a93a',
      status: 'queued',
      definition_key: 'echo',
      queued_at: '2026-11-28T10:30:01.000Z',
    },
  },
  act: (context, { body }) => enqueueJob(context.deps.jobs, context.caller, requestOf(body, context)),
  show: (context, result) => enqueuedReply(context, result),
  answerWithin: (context, tx, result) => enqueuedReply(context, result, tx),
});

/** 201 for a new job, 200 for one that was there. */
async function enqueuedReply(context: RestContext, { id, kind }: EnqueueResult, tx?: Transaction) {
  return new RestReply(await enqueuedJob(context, id, tx), {
    status: kind === 'created' ? 201 : 200,
    headers: { location: `/api/v1/jobs/${id}` },
  });
}

const getJob = defineRoute({
  method: 'GET',
  path: '/jobs/:job_id',
  operationId: 'getJob',
  tag: 'Jobs',
  summary: 'Read a job',
  need: readJob.need,
  params: JOB_PARAMS,
  answer: JobSchema,
  answerHeaders: { etag: 'Its version, for `If-Match` and `If-None-Match`.' },
  errors: ['NotFound'],
  example: { params: { job_id: '{job_id}' }, answer: {} },
  run: async (context, { params }) => {
    const job = await jobById(context, params.job_id);
    return new RestReply(job, { headers: { etag: etagOf(job.version) } });
  },
});

/**
 * The job as it is now.
 * @throws DomainError `NotFound`
 */
export async function jobById(context: RestContext, jobId: string): Promise<ShownJob> {
  const id = jobId.toLowerCase();
  const job = await readJob(context.operation.loaders.job, context.caller, id);
  if (job === null) throw notFound('job', id);
  return await shownJob(context, job);
}

export const jobRoutes = [listJobs, createJob, getJob];
