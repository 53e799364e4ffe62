import { builder } from '../../../graphql/builder.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { TenantType } from '../../../graphql/types/tenant.ts';
import { findTenants } from '../use-cases/find-tenants.ts';

const TenantConnection = builder.connectionObject(
  { type: TenantType, name: 'TenantConnection', description: 'A page of tenants, newest first.' },
  { name: 'TenantEdge', description: 'A tenant with its cursor.' },
);

const TenantFilterInput = builder.inputType('TenantFilter', {
  description: 'Which tenants. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({
    slug: t.string({ description: 'The one of exactly this short name.' }),
    isPaused: t.boolean({ description: 'Paused ones, or those that are not.' }),
    isDeleted: t.boolean({ description: 'Those that are being deleted, in place of the living ones.' }),
  }),
});

builder.queryField('tenants', (t) =>
  t.field({
    type: TenantConnection,
    nullable: true,
    complexity: pageComplexity,
    description: 'All tenants, newest first. For super admins.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: TenantFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, deps }) =>
      toConnection(await findTenants(deps.reads, actor, filter ?? {}, page)),
  }),
);
