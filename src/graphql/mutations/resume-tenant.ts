import { pauseTenant } from '../../operations/pause-tenant.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, NotFound } from '../types/errors.ts';
import { TenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

builder.mutationField('resumeTenant', (t) =>
  t.field({
    type: TenantPayload,
    description: 'Lets a paused tenant’s jobs be claimed again. For tenant admins.',
    errors: {
      union: { name: 'ResumeTenantResult', description: 'The tenant, or why it is not resumed.' },
      types: [Forbidden, NotFound, Busy],
    },
    resolve: (_root, _args, context) =>
      write(context, async () => {
        await pauseTenant(context.deps.jobs, context.actor, false);
        return { kind: 'tenant' } as const;
      }),
  }),
);
