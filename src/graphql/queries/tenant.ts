import { readTenant } from '../../jobs/read-one.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { TenantType, tenantIsGone } from '../types/tenant.ts';

builder.queryField('tenant', (t) =>
  t.field({
    type: TenantType,
    nullable: true,
    authScopes: { member: true },
    description: 'The tenant that the caller acts on, with its limits.',
    resolve: async (_root, _args, context) => {
      const tenant = await readTenant(loadersOf(context).tenant, context.actor);
      return tenant ?? tenantIsGone(context.actor.tenantId);
    },
  }),
);
