import { findDefinitionPage } from '../../jobs/find-definitions.ts';
import { builder } from '../builder.ts';
import { JobDefinitionConnection, pageComplexity, toConnection } from '../types/connections.ts';

builder.queryField('jobDefinitions', (t) =>
  t.field({
    type: JobDefinitionConnection,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'What kinds of jobs there are.',
    args: t.arg.connectionArgs(),
    resolve: async (_root, page, { operation }) =>
      toConnection(await findDefinitionPage(operation.transaction, page)),
  }),
);
