import { findJobs } from '../../jobs/find-jobs.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { JobConnection, pageComplexity, toConnection } from '../types/connections.ts';
import { JobStatusEnum } from '../types/enums.ts';
import { JobType } from '../types/job.ts';
import { SubjectInput, subjectOf } from '../types/subject.ts';

const JobFilterInput = builder.inputType('JobFilter', {
  description: 'Which jobs. Conditions are joined by "and"; what is left away does not matter.',
  fields: (t) => ({
    statuses: t.field({ type: [JobStatusEnum], description: 'One of these.' }),
    definitions: t.stringList({ description: 'Keys of definitions, one of them.' }),
    subject: t.field({ type: SubjectInput, description: 'About this.' }),
    correlationId: t.string({ description: 'With this correlation id.' }),
    createdBy: t.string({ description: 'Enqueued by: `user:<sub>`, `key:<id>`, `system`.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Enqueued at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Enqueued before.' }),
  }),
});

builder.queryField('job', (t) =>
  t.field({
    type: JobType,
    nullable: true,
    authScopes: { member: true },
    description: 'One job; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) => loadersOf(context).job.load(uuidOf('Job', id)),
  }),
);

builder.queryField('jobs', (t) =>
  t.field({
    type: JobConnection,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'Jobs, newest first. There is no total: counting would read them all.',
    args: { ...t.arg.connectionArgs(), filter: t.arg({ type: JobFilterInput, description: 'Which ones.' }) },
    resolve: async (_root, { filter, ...page }, { actor, operation }) => {
      const { definitions, subject, ...rest } = filter ?? {};
      const conditions = { ...rest, definitionKeys: definitions, subject: subjectOf(subject) };
      return toConnection(await findJobs(operation.transaction, actor, conditions, page));
    },
  }),
);
