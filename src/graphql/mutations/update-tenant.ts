import { updateTenant } from '../../operations/update-tenant.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { RateLimitInput } from '../types/rate-limit.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const UpdateTenantInput = builder.inputType('UpdateTenantInput', {
  description:
    'What to change of the tenant: null clears, absent leaves. All but the name is for super admins.',
  fields: (t) => ({
    id: t.id({
      description:
        'Its global id, or its UUID: another tenant, for super admins. The one that the caller acts on by default.',
    }),
    name: t.string({ description: '1 to 200 characters.' }),
    weight: t.int({ description: 'Its share of claims against other tenants: 1 to 100.' }),
    maxRunning: t.int({ description: 'Jobs that run at a time: 1 to 1000000.' }),
    rateLimit: t.field({ type: RateLimitInput, description: 'Starts in a period.' }),
    maxStoredBytes: t.field({
      type: 'BigInt',
      description:
        'Bytes of originals and clips: 1 to 9007199254740991; null for what the installation allows each tenant.',
    }),
    retentionSeconds: t.int({ description: 'How long finished jobs are kept: 0 to 2147483647.' }),
  }),
});

builder.mutationField('updateTenant', (t) =>
  t.field({
    type: tenantPayload('UpdateTenantPayload'),
    description: 'Changes the tenant that the caller acts on, or another one.',
    args: { input: t.arg({ type: UpdateTenantInput, required: true, description: 'What to change.' }) },
    errors: {
      union: { name: 'UpdateTenantResult', description: 'The tenant, or why it stays as it is.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const { id, maxStoredBytes, ...others } = input;
        const tenantId = id == null ? context.actor.tenantId : uuidOf('Tenant', id);
        const patch = {
          ...others,
          ...(maxStoredBytes !== undefined && {
            maxStoredBytes: maxStoredBytes === null ? null : Number(maxStoredBytes),
          }),
        };
        await updateTenant(context.deps.jobs, context.actor, patch, tenantId);
        return { kind: 'tenant', tenantId } as const;
      }),
  }),
);
