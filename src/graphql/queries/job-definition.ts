import { findDefinition } from '../../jobs/find-definitions.ts';
import { builder } from '../builder.ts';
import { JobDefinitionType } from '../types/job-definition.ts';

builder.queryField('jobDefinition', (t) =>
  t.field({
    type: JobDefinitionType,
    nullable: true,
    authScopes: { member: true },
    description: 'One kind of job; null when no definition has the key.',
    args: { key: t.arg.string({ required: true, description: 'Its key, such as `echo`.' }) },
    resolve: (_root, { key }, { operation, actor }) => findDefinition(operation.transaction, actor, key),
  }),
);
