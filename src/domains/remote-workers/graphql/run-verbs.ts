import { builder } from '../../../graphql/builder.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { JobLogLevelEnum, valuesOf } from '../../../graphql/types/enums.ts';
import { Forbidden, InvalidArgument, LostLease } from '../../../graphql/types/errors.ts';
import { appendLog } from '../use-cases/append-log.ts';
import { type Heartbeat, heartbeatJobs, LEASE_STATES } from '../use-cases/heartbeat-jobs.ts';
import { reportProgress } from '../use-cases/report-progress.ts';
import { startJob } from '../use-cases/start-job.ts';
import { JobLeaseInput, leaseOfInput } from './lease-input.ts';

const FAILURES = [Forbidden, InvalidArgument, LostLease];
const LEASE = { type: JobLeaseInput, required: true, description: 'The run.' } as const;

const StartJobInput = builder.inputType('StartJobInput', {
  description: 'Which run begins.',
  fields: (t) => ({ lease: t.field(LEASE) }),
});

const StartJobPayload = builder.objectRef<{ readonly jobId: string }>('StartJobPayload').implement({
  description: 'Its time counts from now.',
  fields: (t) => ({
    jobUuid: t.field({ type: 'UUID', description: 'The job.', resolve: ({ jobId }) => jobId }),
  }),
});

builder.mutationField('startJob', (t) =>
  t.field({
    type: StartJobPayload,
    description:
      'Notes that a claimed job begins now, for workers that claim ahead; otherwise it began with its claim.',
    args: { input: t.arg({ type: StartJobInput, required: true, description: 'The run.' }) },
    errors: {
      union: { name: 'StartJobResult', description: 'That it is noted, or why not.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease } }, context) =>
      write(context, async () => {
        await startJob(context.deps.jobs, context.actor, leaseOfInput(lease));
        return { jobId: lease.jobUuid };
      }),
  }),
);

const LeaseStateEnum = builder.enumType('JobLeaseState', {
  description: 'How a lease stands after a heartbeat.',
  values: valuesOf(LEASE_STATES, {
    renewed: 'It is renewed.',
    cancel_requested:
      'It is renewed, and somebody asked to cancel the job: end it soon, by `failJob`, `releaseJob` or `completeJob`.',
    lost: 'Another worker has the job, or it has ended. Drop it.',
    timed_out: 'It ran longer than it may, and has been ended. Drop it.',
  }),
});

const HeartbeatJobsInput = builder.inputType('HeartbeatJobsInput', {
  description: 'The runs that a worker is at.',
  fields: (t) => ({
    worker: t.string({ description: 'What the worker calls itself, as in `claimJobs`; shown in `workers`.' }),
    leases: t.field({ type: [JobLeaseInput], required: true, description: 'Their leases, 1 to 500.' }),
  }),
});

const JobHeartbeatType = builder.objectRef<Heartbeat>('JobHeartbeat').implement({
  description: 'How one lease stands.',
  fields: (t) => ({
    jobUuid: t.field({ type: 'UUID', description: 'The job.', resolve: ({ jobId }) => jobId }),
    state: t.expose('state', { type: LeaseStateEnum, description: 'How it stands.' }),
    leaseExpiresAt: t.expose('leaseExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends; null when it is gone.',
    }),
    cancelReason: t.exposeString('cancelReason', {
      nullable: true,
      description: 'Why the job is to be canceled.',
    }),
  }),
});

const HeartbeatJobsPayload = builder
  .objectRef<{ readonly heartbeats: readonly Heartbeat[] }>('HeartbeatJobsPayload')
  .implement({
    description: 'How the leases stand.',
    fields: (t) => ({
      heartbeats: t.field({
        type: [JobHeartbeatType],
        description: 'One for each lease, in order.',
        resolve: ({ heartbeats }) => heartbeats,
      }),
    }),
  });

builder.mutationField('heartbeatJobs', (t) =>
  t.field({
    type: HeartbeatJobsPayload,
    description:
      'Renews the leases of a worker’s runs, and says which are to be canceled and which are lost.',
    args: { input: t.arg({ type: HeartbeatJobsInput, required: true, description: 'The runs.' }) },
    errors: {
      union: { name: 'HeartbeatJobsResult', description: 'How they stand, or why nothing was renewed.' },
      types: [Forbidden, InvalidArgument],
    },
    resolve: (_root, { input: { worker, leases } }, context) =>
      write(context, async () => ({
        heartbeats: await heartbeatJobs(
          context.deps.jobs,
          context.actor,
          worker ?? null,
          leases.map((lease, index) => leaseOfInput(lease, `leases[${index}].`)),
        ),
      })),
  }),
);

const ReportJobProgressInput = builder.inputType('ReportJobProgressInput', {
  description: 'How far a run is; what is absent is shown as unknown.',
  fields: (t) => ({
    lease: t.field(LEASE),
    percent: t.float({ description: '0 to 100.' }),
    stage: t.string({ description: 'What is being done, in a word.' }),
    message: t.string({ description: 'The same for people.' }),
    etaSeconds: t.float({ description: 'How long it will still take.' }),
  }),
});

const ReportJobProgressPayload = builder
  .objectRef<{ readonly jobId: string }>('ReportJobProgressPayload')
  .implement({
    description: 'It is shown.',
    fields: (t) => ({
      jobUuid: t.field({ type: 'UUID', description: 'The job.', resolve: ({ jobId }) => jobId }),
    }),
  });

builder.mutationField('reportJobProgress', (t) =>
  t.field({
    type: ReportJobProgressPayload,
    description: 'Shows how far a run is.',
    args: {
      input: t.arg({ type: ReportJobProgressInput, required: true, description: 'The run, and how far.' }),
    },
    errors: {
      union: { name: 'ReportJobProgressResult', description: 'That it is shown, or why not.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease, ...report } }, context) =>
      write(context, async () => {
        await reportProgress(context.deps.jobs, context.actor, leaseOfInput(lease), report);
        return { jobId: lease.jobUuid };
      }),
  }),
);

const JobLogLineInput = builder.inputType('JobLogLineInput', {
  description: 'A line of a job’s log.',
  fields: (t) => ({
    level: t.field({ type: JobLogLevelEnum, description: '`INFO` by default.' }),
    message: t.string({ required: true, description: 'The text; of a long one head and tail are kept.' }),
    data: t.field({ type: 'JSON', description: 'Facts beside the text; secrets in it are masked.' }),
  }),
});

const AppendJobLogInput = builder.inputType('AppendJobLogInput', {
  description: 'Lines of a run.',
  fields: (t) => ({
    lease: t.field(LEASE),
    lines: t.field({ type: [JobLogLineInput], required: true, description: '1 to 1000 lines.' }),
  }),
});

const AppendJobLogPayload = builder
  .objectRef<{ readonly storedCount: number }>('AppendJobLogPayload')
  .implement({
    description: 'The lines are in the job’s log.',
    fields: (t) => ({
      storedCount: t.exposeInt('storedCount', {
        description: 'How many were stored; fewer than given once the log of the run is full.',
      }),
    }),
  });

builder.mutationField('appendJobLog', (t) =>
  t.field({
    type: AppendJobLogPayload,
    description: 'Appends lines to the log of a job that the worker runs.',
    args: {
      input: t.arg({ type: AppendJobLogInput, required: true, description: 'The run and its lines.' }),
    },
    errors: {
      union: { name: 'AppendJobLogResult', description: 'That they are stored, or why not.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease, lines } }, context) =>
      write(context, async () => ({
        storedCount: await appendLog(context.deps.jobs, context.actor, leaseOfInput(lease), lines),
      })),
  }),
);
