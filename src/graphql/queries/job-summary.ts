import { readJobSummary } from '../../operations/job-summary.ts';
import { builder } from '../builder.ts';
import { JobSummaryType, SINCE_SECONDS } from '../types/job-summary.ts';

builder.queryField('jobSummary', (t) =>
  t.field({
    type: JobSummaryType,
    nullable: true,
    authScopes: { member: true },
    // One bounded count, shared by all callers at the same time.
    complexity: 50,
    description: 'How many jobs of the tenant stand where, now.',
    args: { sinceSeconds: t.arg.int({ description: SINCE_SECONDS }) },
    resolve: (_root, { sinceSeconds }, { actor, deps }) => readJobSummary(deps.feed, actor, sinceSeconds),
  }),
);
