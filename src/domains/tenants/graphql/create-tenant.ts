import { builder } from '../../../graphql/builder.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { AlreadyExists, Busy, Forbidden, InvalidArgument } from '../../../graphql/types/errors.ts';
import { TenantType } from '../../../graphql/types/tenant.ts';
import { findTenantOfAll } from '../../../operations/find-tenant-of-all.ts';
import { createTenant } from '../use-cases/create-tenant.ts';

const CreateTenantInput = builder.inputType('CreateTenantInput', {
  description: 'A new tenant.',
  fields: (t) => ({
    slug: t.string({ required: true, description: 'Its short name: 1 to 63 of a-z, 0-9 and -, no - first.' }),
    name: t.string({ description: '1 to 200 characters; the slug by default.' }),
  }),
});

const CreateTenantPayload = builder
  .objectRef<{ readonly tenantId: string }>('CreateTenantPayload')
  .implement({
    description: 'The new tenant.',
    fields: (t) => ({
      tenant: t.field({
        type: TenantType,
        nullable: true,
        description: 'The tenant.',
        resolve: ({ tenantId }, _args, context) =>
          readBack(
            context,
            () => findTenantOfAll(context.deps.reads, context.actor, tenantId),
            `Tenant ${tenantId}`,
          ),
      }),
    }),
  });

builder.mutationField('createTenant', (t) =>
  t.field({
    type: CreateTenantPayload,
    description: 'Makes a tenant. For super admins, who act on it with the header `x-millrace-tenant`.',
    args: { input: t.arg({ type: CreateTenantInput, required: true, description: 'The tenant.' }) },
    errors: {
      union: { name: 'CreateTenantResult', description: 'The tenant, or why there is none.' },
      types: [Forbidden, InvalidArgument, AlreadyExists, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => ({ tenantId: await createTenant(context.deps.jobs, context.actor, input) })),
  }),
);
