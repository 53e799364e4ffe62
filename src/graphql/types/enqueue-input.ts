import type { EnqueueJobRequest } from '../../jobs/enqueue-job.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { DependencyPolicyEnum } from './dependency-policy.ts';
import { SubjectInput, subjectOf } from './subject.ts';

const JobDependencyInput = builder.inputType('JobDependencyInput', {
  description: 'A job that must end first.',
  fields: (t) => ({
    jobId: t.id({ required: true, description: 'Its global id or its UUID.' }),
    policy: t.field({
      type: DependencyPolicyEnum,
      description: 'What to do when it does not succeed; `CANCEL` by default.',
    }),
  }),
});

export const EnqueueJobInput = builder.inputType('EnqueueJobInput', {
  description: 'What to do, and when.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Key of the job definition: `echo`.' }),
    payload: t.field({
      type: 'JSON',
      description: 'Checked against the definition’s JSON Schema; at most 1 MiB unless configured otherwise.',
    }),
    priority: t.int({ description: '0 to 1000000; lower runs first. 100 by default.' }),
    scheduledFor: t.field({ type: 'DateTime', description: 'Not to be run before; now by default.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Canceled with the reason `expired` when it has not begun by then.',
    }),
    timeoutSeconds: t.int({
      description: 'How long a run may take, 1 to 604800; the definition’s by default.',
    }),
    dedupeKey: t.string({
      description: 'With an active job of the same key, that job is returned instead of a new one.',
    }),
    dedupeWindowSeconds: t.int({
      description:
        'With a dedupe key, 1 to 31536000: a job with the key that was enqueued within this time is returned too, whatever became of it.',
    }),
    dependsOn: t.field({
      type: [JobDependencyInput],
      description: 'Jobs that must end first, at most 100.',
    }),
    correlationId: t.string({ description: 'Ties jobs together; 1 to 255 characters.' }),
    subject: t.field({ type: SubjectInput, description: 'What it is about.' }),
    tags: t.stringList({
      description:
        'To find and group it by: at most 20, each of 1 to 64 characters. Jobs that it leads to do not get them.',
    }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Notes of your own: an object of at most 4096 bytes of JSON. Neither its handler nor jobs that it leads to get it.',
    }),
    maxAttempts: t.int({ description: 'Runs in all, 1 to 1000; the definition’s by default.' }),
  }),
});

/** The input as the use-case takes it. @throws DomainError `InvalidArgument` for an id that is none */
export function requestOf(
  input: typeof EnqueueJobInput.$inferInput,
  { deps }: GraphqlContext,
): EnqueueJobRequest {
  const { definition, subject, dependsOn, ...rest } = input;
  return {
    ...rest,
    definitionKey: definition,
    payload: rest.payload,
    subject: subjectOf(deps.access, subject),
    dependsOn: (dependsOn ?? []).map(({ jobId, policy }, index) => ({
      jobId: uuidOf('Job', jobId, `dependsOn[${index}].jobId`),
      policy: policy ?? 'cancel',
    })),
  };
}
