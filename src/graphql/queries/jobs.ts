import { findJobs } from '../../jobs/find-jobs.ts';
import { readJob } from '../../jobs/read-one.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { JobConnection, pageComplexity, toConnection } from '../types/connections.ts';
import { JobType } from '../types/job.ts';
import { JobFilterInput, jobFilterOf } from '../types/job-filter.ts';
import { JobOrderInput } from '../types/job-order.ts';

builder.queryField('job', (t) =>
  t.field({
    type: JobType,
    nullable: true,
    authScopes: { member: true },
    description: 'One job; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) => readJob(loadersOf(context).job, context.actor, uuidOf('Job', id)),
  }),
);

builder.queryField('jobs', (t) =>
  t.field({
    type: JobConnection,
    nullable: true,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'Jobs, newest first by default. There is no total: counting would read them all.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: JobFilterInput, description: 'Which ones.' }),
      orderBy: t.arg({
        type: JobOrderInput,
        description: 'In which order; newest first by default. A cursor is good for pages by the same field.',
      }),
    },
    resolve: async (_root, { filter, orderBy, ...page }, context) => {
      const { actor, operation } = context;
      const asked = jobFilterOf(filter, context);
      return toConnection(await findJobs(operation.transaction, actor, asked, page, orderBy ?? undefined));
    },
  }),
);
