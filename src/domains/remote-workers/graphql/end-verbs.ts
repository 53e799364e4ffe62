import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { JobStatusEnum } from '../../../graphql/types/enums.ts';
import {
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  LostLease,
  ObjectNotFound,
  PayloadTooLarge,
  UnknownDefinition,
} from '../../../graphql/types/errors.ts';
import type { RemoteNextJob } from '../use-cases/check-next-jobs.ts';
import { completeJob } from '../use-cases/complete-job.ts';
import type { RunEnd } from '../use-cases/end-run.ts';
import { failJob, releaseJob, snoozeJob } from '../use-cases/fail-job.ts';
import { JobLeaseInput, leaseOfInput } from './lease-input.ts';

const FAILURES = [Forbidden, InvalidArgument, LostLease];
const LEASE = { type: JobLeaseInput, required: true, description: 'The run.' } as const;

interface Ended {
  readonly jobId: string;
  readonly status: RunEnd;
}

function endedPayload(name: string) {
  return builder.objectRef<Ended>(name).implement({
    description: 'The run has ended.',
    fields: (t) => ({
      jobUuid: t.field({ type: 'UUID', description: 'The job.', resolve: ({ jobId }) => jobId }),
      status: t.expose('status', { type: JobStatusEnum, description: 'Where the job stands now.' }),
    }),
  });
}

function ending(context: GraphqlContext, jobId: string, end: () => Promise<RunEnd>): Promise<Ended> {
  return write(context, async () => ({ jobId, status: await end() }));
}

const ArtifactInput = builder.inputType('JobArtifactInput', {
  description: 'A file that the run has uploaded; it is filed under the job’s subject.',
  fields: (t) => ({
    kind: t.string({
      required: true,
      description: 'What it is: 1 to 64 of a-z, 0-9, _, -, ., starting with a letter.',
    }),
    key: t.string({ required: true, description: 'As `createJobUpload` gave it.' }),
    metadata: t.field({ type: 'JSON', description: 'An object with facts about it.' }),
  }),
});

const NextJobInput = builder.inputType('NextJobInput', {
  description: 'A job that is to follow. It is enqueued in the transaction that ends the run, or not at all.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Key of the definition.' }),
    payload: t.field({
      type: 'JSON',
      description: 'Checked against the definition’s schema; `{}` by default.',
    }),
    key: t.string({ description: 'A name within this list, for `after` of others.' }),
    after: t.stringList({ description: 'Names of jobs of this list that must end first.' }),
    delaySeconds: t.float({ description: 'Not before this many seconds from now.' }),
    priority: t.int({ description: 'Lower runs first; the job’s own by default.' }),
    dedupeKey: t.string({ description: 'At most one active job of the tenant carries the same.' }),
  }),
});

const CompleteJobInput = builder.inputType('CompleteJobInput', {
  description: 'What a run came to.',
  fields: (t) => ({
    lease: t.field(LEASE),
    result: t.field({ type: 'JSON', description: 'Kept on the job.' }),
    skippedReason: t.string({ description: 'There was nothing to do, and why; counts as success.' }),
    artifacts: t.field({
      type: [ArtifactInput],
      description: 'Files that it uploaded, for jobs with a subject.',
    }),
    next: t.field({ type: [NextJobInput], description: 'Jobs that are to follow.' }),
  }),
});

builder.mutationField('completeJob', (t) =>
  t.field({
    type: endedPayload('CompleteJobPayload'),
    description:
      'Ends a run as done: result, files and next jobs are written in one transaction. Wins over a cancel that was asked meanwhile.',
    args: {
      input: t.arg({ type: CompleteJobInput, required: true, description: 'The run and its result.' }),
    },
    errors: {
      union: { name: 'CompleteJobResult', description: 'That it has ended, or why not.' },
      types: [...FAILURES, InvalidPayload, PayloadTooLarge, UnknownDefinition, ObjectNotFound],
    },
    resolve: (_root, { input: { lease, next, ...rest } }, context) =>
      ending(context, lease.jobUuid, () =>
        completeJob(context.deps.jobs, context.actor, leaseOfInput(lease), {
          ...rest,
          next: next?.map(withoutNulls),
        }),
      ),
  }),
);

const FailJobInput = builder.inputType('FailJobInput', {
  description: 'What went wrong in a run.',
  fields: (t) => ({
    lease: t.field(LEASE),
    message: t.string({ required: true, description: 'For people; at most 16 KiB of it are kept.' }),
    type: t.string({
      description:
        'For programs, as the name of a class of errors: 1 to 100 of a-z, A-Z, 0-9, _, -, ., :. `Error` by default.',
    }),
    isPermanent: t.boolean({ description: 'No retry would help: the job ends as failed.' }),
    retryAfterSeconds: t.float({ description: 'Instead of the delay of the retry policy.' }),
  }),
});

builder.mutationField('failJob', (t) =>
  t.field({
    type: endedPayload('FailJobPayload'),
    description: 'Ends a run with an error: the job is tried again by its definition’s policy, or is over.',
    args: { input: t.arg({ type: FailJobInput, required: true, description: 'The run and its error.' }) },
    errors: {
      union: { name: 'FailJobResult', description: 'That it has ended, or why not.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease, isPermanent: permanent, ...rest } }, context) =>
      ending(context, lease.jobUuid, () =>
        failJob(context.deps.jobs, context.actor, leaseOfInput(lease), { ...rest, permanent }),
      ),
  }),
);

const SnoozeJobInput = builder.inputType('SnoozeJobInput', {
  description: 'How long a job is put off.',
  fields: (t) => ({
    lease: t.field(LEASE),
    delaySeconds: t.float({ required: true, description: 'When it is claimed again: seconds from now.' }),
    reason: t.string({ description: 'What it waits for.' }),
  }),
});

builder.mutationField('snoozeJob', (t) =>
  t.field({
    type: endedPayload('SnoozeJobPayload'),
    description:
      'Puts a job off: it is claimed again later, at no attempt. Its definition may bound how often and how long.',
    args: { input: t.arg({ type: SnoozeJobInput, required: true, description: 'The run and its delay.' }) },
    errors: {
      union: { name: 'SnoozeJobResult', description: 'That it is put off, or why not.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease, ...snooze } }, context) =>
      ending(context, lease.jobUuid, () =>
        snoozeJob(context.deps.jobs, context.actor, leaseOfInput(lease), snooze),
      ),
  }),
);

const ReleaseJobInput = builder.inputType('ReleaseJobInput', {
  description: 'The job to release.',
  fields: (t) => ({ lease: t.field(LEASE) }),
});

builder.mutationField('releaseJob', (t) =>
  t.field({
    type: endedPayload('ReleaseJobPayload'),
    description: 'Gives a job back that is not to be finished here, as at a shutdown: no attempt is spent.',
    args: { input: t.arg({ type: ReleaseJobInput, required: true, description: 'The run.' }) },
    errors: {
      union: { name: 'ReleaseJobResult', description: 'The released job, or why it was not released.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease } }, context) =>
      ending(context, lease.jobUuid, () => releaseJob(context.deps.jobs, context.actor, leaseOfInput(lease))),
  }),
);

/** GraphQL says null for what was not given. */
function withoutNulls(next: object): RemoteNextJob {
  return Object.fromEntries(
    Object.entries(next).filter(([, value]) => value != null),
  ) as unknown as RemoteNextJob;
}
