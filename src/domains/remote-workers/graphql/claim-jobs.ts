import { SYSTEM_TENANT_ID } from '../../../core/ids.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Forbidden, InvalidArgument, UnknownDefinition } from '../../../graphql/types/errors.ts';
import { claimJobs, type RemoteJob } from '../use-cases/claim-jobs.ts';

const ClaimJobsInput = builder.inputType('ClaimJobsInput', {
  description: 'What a worker can run, and how long it waits for it.',
  fields: (t) => ({
    worker: t.string({
      required: true,
      description:
        'What the worker calls itself, another name for each process: 1 to 100 of a-z, A-Z, 0-9, _, -, ., :, @.',
    }),
    jobTypes: t.stringList({
      required: true,
      description: 'Keys of the definitions that it can run, 1 to 100.',
    }),
    limit: t.int({ description: 'Free slots: jobs that it takes at most, 1 to 100; 1 by default.' }),
    waitSeconds: t.int({
      description: 'How long it waits for a job where there is none, 0 to 60; 20 by default.',
    }),
    running: t.int({ description: 'Jobs that it runs at this moment; 0 by default. Shown in `workers`.' }),
    concurrency: t.int({ description: 'Jobs that it runs at a time; 1 by default. Shown in `workers`.' }),
    version: t.string({ description: 'Version of the program. Shown in `workers`.' }),
  }),
});

const JobLeaseType = builder.objectRef<RemoteJob>('JobLease').implement({
  description: 'The right to settle one run of a job. Keep the token secret.',
  fields: (t) => ({
    jobUuid: t.field({
      type: 'UUID',
      description: 'The job.',
      resolve: ({ claimed }) => claimed.lease.jobId,
    }),
    runNo: t.int({ description: 'Number of the run.', resolve: ({ claimed }) => claimed.lease.runNo }),
    token: t.field({
      type: 'UUID',
      description: 'The secret of the lease.',
      resolve: ({ claimed }) => claimed.lease.token,
    }),
    seconds: t.int({
      description:
        'How long it is good for after the claim and after each heartbeat. Send one three times in that time.',
      resolve: ({ claimed }) => claimed.leaseSeconds,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it ends unless it is renewed.',
      resolve: ({ claimed }) => claimed.job.leaseExpiresAt,
    }),
  }),
});

export const ClaimedJobType = builder.objectRef<RemoteJob>('ClaimedJob').implement({
  description: 'A job as its worker gets it.',
  fields: (t) => ({
    uuid: t.field({ type: 'UUID', description: 'The job.', resolve: ({ claimed }) => claimed.job.id }),
    lease: t.field({
      type: JobLeaseType,
      description: 'What every write about this run carries.',
      resolve: (job) => job,
    }),
    definitionKey: t.string({
      description: 'What is to be done: key of the definition.',
      resolve: ({ claimed }) => claimed.definitionKey,
    }),
    payload: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What to do it with, checked against the definition’s schema; secret fields are readable.',
      resolve: ({ payload }) => payload,
    }),
    tenantUuid: t.field({
      type: 'UUID',
      description: 'Whose job it is.',
      resolve: ({ claimed }) => claimed.job.tenantId,
    }),
    subjectType: t.string({
      nullable: true,
      description: 'What it is about.',
      resolve: ({ claimed }) => claimed.job.subject?.type,
    }),
    subjectKey: t.string({
      nullable: true,
      description: 'Which one.',
      resolve: ({ claimed }) => claimed.job.subject?.id,
    }),
    correlationId: t.string({
      nullable: true,
      description: 'What it belongs to.',
      resolve: ({ claimed }) => claimed.job.correlationId,
    }),
    attemptCount: t.int({
      description: 'Attempts that are spent.',
      resolve: ({ claimed }) => claimed.job.attemptCount,
    }),
    maxAttempts: t.int({
      description: 'Attempts in all.',
      resolve: ({ claimed }) => claimed.job.maxAttempts,
    }),
    timeoutSeconds: t.int({
      description: 'How long the run may take from its start; a later heartbeat ends it.',
      resolve: ({ claimed }) => claimed.timeoutSeconds,
    }),
  }),
});

const ClaimJobsPayload = builder
  .objectRef<{ readonly jobs: readonly RemoteJob[] }>('ClaimJobsPayload')
  .implement({
    description: 'The jobs; none when the time was over.',
    fields: (t) => ({
      jobs: t.field({
        type: [ClaimedJobType],
        description: 'Each is the worker’s until its lease ends.',
        resolve: ({ jobs }) => jobs,
      }),
    }),
  });

builder.mutationField('claimJobs', (t) =>
  t.field({
    type: ClaimJobsPayload,
    description:
      'Claims jobs, and waits for the first where there are none. For keys of role `WORKER`: of a tenant its jobs, of the platform all tenants’.',
    args: { input: t.arg({ type: ClaimJobsInput, required: true, description: 'Which jobs.' }) },
    errors: {
      union: { name: 'ClaimJobsResult', description: 'The jobs, or why there are none.' },
      types: [Forbidden, InvalidArgument, UnknownDefinition],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({
        jobs: await waiting(context, () =>
          claimJobs(context.deps.jobs, context.actor, input, signalOf(context)),
        ),
      })),
  }),
);

/** A wait of a minute must not keep a place that others of the tenant need for a moment. */
function waiting<T>({ deps, identity }: GraphqlContext, wait: () => Promise<T>): Promise<T> {
  return deps.slots.mutation.outside(identity.credential.tenantId ?? SYSTEM_TENANT_ID, wait);
}

/** Fires when the client has left; not known of operations that come over a socket. */
function signalOf(context: GraphqlContext): AbortSignal | undefined {
  return (context as { readonly request?: Request }).request?.signal;
}
