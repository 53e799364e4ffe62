import { pauseTenant } from '../../operations/pause-tenant.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, NotFound } from '../types/errors.ts';
import { TenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

builder.mutationField('pauseTenant', (t) =>
  t.field({
    type: TenantPayload,
    description: 'Stops the claims of the tenant’s jobs; those that run go on. For tenant admins.',
    errors: {
      union: { name: 'PauseTenantResult', description: 'The tenant, or why it is not paused.' },
      types: [Forbidden, NotFound, Busy],
    },
    resolve: (_root, _args, context) =>
      write(context, async () => {
        await pauseTenant(context.deps.jobs, context.actor, true);
        return { kind: 'tenant' } as const;
      }),
  }),
);
