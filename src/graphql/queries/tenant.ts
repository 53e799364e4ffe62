import { builder } from '../builder.ts';
import { actingTenant, TenantType } from '../types/tenant.ts';

builder.queryField('tenant', (t) =>
  t.field({
    type: TenantType,
    nullable: true,
    authScopes: { member: true },
    description: 'The tenant that the caller acts on, with its limits.',
    resolve: (_root, _args, context) => actingTenant(context),
  }),
);
