import { defineAction, type RestRoute } from '../../../rest/route.ts';
import { completeJob } from '../use-cases/complete-job.ts';
import { failJob, releaseJob, snoozeJob } from '../use-cases/fail-job.ts';
import { leaseOf, RUN_EXAMPLE, RUN_PARAMS, TAG } from './run-parts.ts';
import { CompleteSchema, EndSchema, FailSchema, RunSchema, SnoozeSchema } from './schemas.ts';

const complete = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/complete',
  operationId: 'completeJob',
  tag: TAG,
  summary: 'End a run as done',
  description:
    'Result, files and next jobs are written in one transaction, or none of them. Wins over a cancel that was asked meanwhile.',
  need: completeJob.need,
  params: RUN_PARAMS,
  body: CompleteSchema,
  maxBodyBytes: 'largest',
  answer: EndSchema,
  errors: [
    'InvalidArgument',
    'InvalidPayload',
    'UnknownDefinition',
    'PayloadTooLarge',
    'LostLease',
    'ObjectNotFound',
  ],
  example: {
    params: { job_id: '{completed_run_job_id}' },
    body: { ...RUN_EXAMPLE, result: { rows: 20 } },
    answer: { job_id: '{completed_run_job_id}', status: 'succeeded' },
  },
  act: ({ deps, caller }, { params, body }) => {
    const { result, skipped_reason: skippedReason, artifacts, next } = body;
    return completeJob(deps.jobs, caller, leaseOf(params, body), {
      result,
      skippedReason,
      artifacts,
      next: next?.map(({ definition_key: definition, delay_seconds, dedupe_key, payload, ...rest }) => ({
        ...rest,
        definition,
        payload,
        ...(delay_seconds !== undefined && { delaySeconds: delay_seconds }),
        ...(dedupe_key !== undefined && { dedupeKey: dedupe_key }),
      })),
    });
  },
  show: async (_context, status, { params }) => ({ job_id: params.job_id, status }),
});

const fail = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/fail',
  operationId: 'failJob',
  tag: TAG,
  summary: 'End a run with an error',
  description:
    'The job is tried again by its definition’s retry policy, or is over: permanent, or its attempts are spent.',
  need: failJob.need,
  params: RUN_PARAMS,
  body: FailSchema,
  answer: EndSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: {
    params: { job_id: '{failed_run_job_id}' },
    body: { ...RUN_EXAMPLE, type: 'Unreachable', message: 'The host does not answer' },
    answer: { job_id: '{failed_run_job_id}', status: 'queued' },
  },
  act: ({ deps, caller }, { params, body }) => {
    const { type, message, permanent, retry_after_seconds: retryAfterSeconds } = body;
    const failure = { type, message, permanent, retryAfterSeconds };
    return failJob(deps.jobs, caller, leaseOf(params, body), failure);
  },
  show: async (_context, status, { params }) => ({ job_id: params.job_id, status }),
});

const snooze = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/snooze',
  operationId: 'snoozeJob',
  tag: TAG,
  summary: 'Put a job off',
  description: 'It is claimed again later, at no attempt. Its definition may bound how often and how long.',
  need: snoozeJob.need,
  params: RUN_PARAMS,
  body: SnoozeSchema,
  answer: EndSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: {
    params: { job_id: '{snoozed_run_job_id}' },
    body: { ...RUN_EXAMPLE, delay_seconds: 60, reason: 'The export is not ready' },
    answer: { job_id: '{snoozed_run_job_id}', status: 'queued' },
  },
  act: ({ deps, caller }, { params, body }) => {
    const { delay_seconds: delaySeconds, reason } = body;
    return snoozeJob(deps.jobs, caller, leaseOf(params, body), { delaySeconds, reason });
  },
  show: async (_context, status, { params }) => ({ job_id: params.job_id, status }),
});

const release = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/release',
  operationId: 'releaseJob',
  tag: TAG,
  summary: 'Give a job back',
  description: 'For one that is not to be finished here, as at a shutdown: no attempt is spent.',
  need: releaseJob.need,
  params: RUN_PARAMS,
  body: RunSchema,
  answer: EndSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: {
    params: { job_id: '{released_run_job_id}' },
    body: RUN_EXAMPLE,
    answer: { job_id: '{released_run_job_id}', status: 'queued' },
  },
  act: ({ deps, caller }, { params, body }) => releaseJob(deps.jobs, caller, leaseOf(params, body)),
  show: async (_context, status, { params }) => ({ job_id: params.job_id, status }),
});

export const endRoutes: readonly RestRoute[] = [complete, fail, snooze, release];
