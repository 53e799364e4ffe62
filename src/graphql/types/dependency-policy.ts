import type { DependencyPolicy } from '../../core/queue.ts';
import { builder } from '../builder.ts';

export const DependencyPolicyEnum = builder.enumType('JobDependencyPolicy', {
  description: 'What a job does when one that it waits for fails or is canceled.',
  values: {
    CANCEL: { value: 'cancel', description: 'Is canceled too, with the reason `parent_failed`.' },
    SKIP: { value: 'skip', description: 'Is skipped; jobs that wait for it take that for success.' },
    RUN: { value: 'run', description: 'Runs all the same.' },
  } satisfies Record<string, { value: DependencyPolicy; description: string }>,
});
