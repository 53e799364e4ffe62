import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import type { DependencyRow } from '../loaders.ts';
import { DependencyPolicyEnum } from './dependency-policy.ts';
import { JobType } from './job.ts';

const JobDependencyType = builder.objectRef<DependencyRow>('JobDependency').implement({
  description: 'That one job waits for another.',
  fields: (t) => ({
    job: t.field({ type: JobType, description: 'The other job.', resolve: ({ job }) => job }),
    policy: t.field({
      type: DependencyPolicyEnum,
      description: 'What the waiting job does when the other does not succeed.',
      resolve: ({ policy }) => policy,
    }),
  }),
});

/** Both lists lead to jobs again, at most 100 of them; hardly a job has more than twenty. */
const COMPLEXITY = { field: 1, multiplier: 20 };

builder.objectFields(JobType, (t) => ({
  pendingDependencyCount: t.exposeInt('pendingDependencies', {
    description: 'Jobs that it waits for and that have not ended.',
  }),
  expiresAt: t.expose('expiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Canceled with the reason `expired` when it has not begun by then.',
  }),
  timeoutSeconds: t.exposeInt('timeoutSeconds', {
    nullable: true,
    description: 'How long a run may take, where that is not the definition’s.',
  }),
  dependsOn: t.field({
    type: [JobDependencyType],
    complexity: COMPLEXITY,
    description: 'The jobs that must end before it, oldest first.',
    resolve: (job, _args, context) => loadersOf(context).dependsOn.load(job.id),
  }),
  dependents: t.field({
    type: [JobDependencyType],
    complexity: COMPLEXITY,
    description: 'The jobs that wait or waited for it, oldest first, at most 100.',
    resolve: (job, _args, context) => loadersOf(context).dependents.load(job.id),
  }),
}));
