import { definitionCursor, findDefinitionPage } from '../../jobs/find-definitions.ts';
import { builder } from '../builder.ts';
import { connectionOf, JobDefinitionConnection, pageComplexity } from '../types/connections.ts';

builder.queryField('jobDefinitions', (t) =>
  t.field({
    type: JobDefinitionConnection,
    nullable: true,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'What kinds of jobs there are, by their keys from a to z.',
    args: t.arg.connectionArgs(),
    resolve: async (_root, args, { operation, actor }) => {
      const page = await findDefinitionPage(operation.transaction, actor, args);
      return connectionOf(
        page,
        page.rows.map((node) => ({ cursor: definitionCursor(node), node })),
      );
    },
  }),
);
