import { pauseTenant } from '../../operations/pause-tenant.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const ResumeTenantInput = builder.inputType('ResumeTenantInput', {
  description: 'The tenant is the one that the caller acts on.',
  fields: (t) => ({
    reason: t.string({ description: 'Why, in words; kept in the audit log. 1 to 1000 characters.' }),
  }),
});

builder.mutationField('resumeTenant', (t) =>
  t.field({
    type: tenantPayload('ResumeTenantPayload'),
    description: 'Lets a paused tenant’s jobs be claimed again. For tenant admins.',
    args: { input: t.arg({ type: ResumeTenantInput, required: true, description: 'Why.' }) },
    errors: {
      union: { name: 'ResumeTenantResult', description: 'The tenant, or why it is not resumed.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input: { reason } }, context) =>
      write(context, async () => {
        await pauseTenant(context.deps.jobs, context.actor, { isPaused: false, reason });
        return { kind: 'tenant' } as const;
      }),
  }),
);
