import { pauseTenant } from '../../operations/pause-tenant.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const PauseTenantInput = builder.inputType('PauseTenantInput', {
  description: 'The tenant is the one that the caller acts on.',
  fields: (t) => ({
    reason: t.string({ description: 'Why, in words; kept in the audit log. 1 to 1000 characters.' }),
  }),
});

builder.mutationField('pauseTenant', (t) =>
  t.field({
    type: tenantPayload('PauseTenantPayload'),
    description: 'Stops the claims of the tenant’s jobs; those that run go on. For tenant admins.',
    args: { input: t.arg({ type: PauseTenantInput, required: true, description: 'Why.' }) },
    errors: {
      union: { name: 'PauseTenantResult', description: 'The tenant, or why it is not paused.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input: { reason } }, context) =>
      write(context, async () => {
        await pauseTenant(context.deps.jobs, context.actor, { isPaused: true, reason });
        return { kind: 'tenant' } as const;
      }),
  }),
);
