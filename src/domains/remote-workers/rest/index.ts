import type { Lease } from '../../../core/queue.ts';
import { defineAction, defineRoute, type RestPart } from '../../../rest/route.ts';
import { appendLog } from '../use-cases/append-log.ts';
import { claimJobs, type RemoteJob, recallClaim } from '../use-cases/claim-jobs.ts';
import { heartbeatJobs } from '../use-cases/heartbeat-jobs.ts';
import { reportProgress } from '../use-cases/report-progress.ts';
import { startJob } from '../use-cases/start-job.ts';
import { endRoutes } from './end-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { leaseOf, RUN_EXAMPLE, RUN_PARAMS, TAG } from './run-parts.ts';
import {
  ClaimAnswerSchema,
  ClaimSchema,
  HeartbeatAnswerSchema,
  HeartbeatSchema,
  LogAnswerSchema,
  LogSchema,
  ProgressSchema,
  RunSchema,
} from './schemas.ts';

const claim = defineAction({
  method: 'POST',
  path: '/worker/claim',
  operationId: 'claimJobs',
  tag: TAG,
  summary: 'Claim jobs',
  description:
    'Waits for the first job where there is none (long poll). For keys of role `worker`: of a tenant its jobs, of the platform all tenants’. A request that its client leaves claims nothing.',
  need: claimJobs.need,
  body: ClaimSchema,
  answer: ClaimAnswerSchema,
  errors: ['InvalidArgument', 'UnknownDefinition'],
  example: { body: { worker: 'docs-1', job_types: ['echo'], wait_seconds: 0 }, answer: { jobs: [] } },
  act: ({ deps, caller, signal }, { body }) => {
    const { job_types: jobTypes, wait_seconds: waitSeconds, ...rest } = body;
    return claimJobs(deps.jobs, caller, { ...rest, jobTypes, waitSeconds }, signal);
  },
  recall: ({ deps, caller }, leases: readonly Lease[]) => recallClaim(deps.jobs, caller, leases),
  show: async (_context, jobs) => ({ jobs: jobs.map(shownClaim) }),
});

function shownClaim({ claimed, payload }: RemoteJob) {
  const { job, lease, leaseSeconds, timeoutSeconds, definitionKey } = claimed;
  return {
    job_id: job.id,
    run_no: lease.runNo,
    token: lease.token,
    definition_key: definitionKey,
    payload,
    tenant_id: job.tenantId,
    subject: job.subject === null ? null : { type: job.subject.type, key: job.subject.id },
    correlation_id: job.correlationId,
    attempt_count: job.attemptCount,
    max_attempts: job.maxAttempts,
    lease_seconds: leaseSeconds,
    lease_expires_at: job.leaseExpiresAt?.toISOString() ?? null,
    timeout_seconds: timeoutSeconds,
  };
}

const heartbeat = defineRoute({
  method: 'POST',
  path: '/worker/heartbeat',
  operationId: 'heartbeatJobs',
  tag: TAG,
  summary: 'Renew leases',
  description: 'Says of each which are to be canceled and which are lost.',
  need: heartbeatJobs.need,
  body: HeartbeatSchema,
  answer: HeartbeatAnswerSchema,
  errors: ['InvalidArgument'],
  example: {
    body: { worker: 'docs-1', leases: [{ job_id: '{claimed_job_id}', ...RUN_EXAMPLE }] },
    answer: { heartbeats: [] },
  },
  run: async ({ deps, caller }, { body }) => {
    const leases = body.leases.map((lease) => leaseOf(lease, lease));
    const heartbeats = await heartbeatJobs(deps.jobs, caller, body.worker ?? null, leases);
    return {
      heartbeats: heartbeats.map(({ jobId, state, leaseExpiresAt, cancelReason }) => ({
        job_id: jobId,
        state,
        lease_expires_at: leaseExpiresAt?.toISOString() ?? null,
        cancel_reason: cancelReason,
      })),
    };
  },
});

const start = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/start',
  operationId: 'startJob',
  tag: TAG,
  summary: 'Note that a job begins',
  description:
    'For workers that claim ahead: the time of the run counts from here. Otherwise it began with its claim.',
  need: startJob.need,
  params: RUN_PARAMS,
  body: RunSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: { params: { job_id: '{claimed_job_id}' }, body: RUN_EXAMPLE, answer: undefined },
  act: ({ deps, caller }, { params, body }) => startJob(deps.jobs, caller, leaseOf(params, body)),
  show: async () => undefined,
});

const progress = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/progress',
  operationId: 'reportJobProgress',
  tag: TAG,
  summary: 'Show how far a run is',
  need: reportProgress.need,
  params: RUN_PARAMS,
  body: ProgressSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: {
    params: { job_id: '{claimed_job_id}' },
    body: { ...RUN_EXAMPLE, percent: 40, stage: 'reading' },
    answer: undefined,
  },
  act: ({ deps, caller }, { params, body }) => {
    const { eta_seconds: etaSeconds, percent, stage, message } = body;
    return reportProgress(deps.jobs, caller, leaseOf(params, body), { percent, stage, message, etaSeconds });
  },
  show: async () => undefined,
});

const log = defineAction({
  method: 'POST',
  path: '/worker/jobs/:job_id/log',
  operationId: 'appendJobLog',
  tag: TAG,
  summary: 'Append lines to the job’s log',
  need: appendLog.need,
  params: RUN_PARAMS,
  body: LogSchema,
  maxBodyBytes: 'largest',
  answer: LogAnswerSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: {
    params: { job_id: '{claimed_job_id}' },
    body: { ...RUN_EXAMPLE, lines: [{ message: 'Read 20 rows', data: { rows: 20 } }] },
    answer: { stored_count: 1 },
  },
  act: ({ deps, caller }, { params, body }) =>
    appendLog(deps.jobs, caller, leaseOf(params, body), body.lines),
  show: async (_context, storedCount) => ({ stored_count: storedCount }),
});

export const restPart: RestPart = {
  routes: [claim, heartbeat, start, progress, log, ...endRoutes, ...fileRoutes],
};
