import { builder } from '../../../graphql/builder.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../../../graphql/types/errors.ts';
import { deleteTenant } from '../use-cases/delete-tenant.ts';

const DeleteTenantInput = builder.inputType('DeleteTenantInput', {
  description: 'The tenant to delete, with all that it has.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    reason: t.string({ description: 'Why, for the audit log: up to 1,000 characters.' }),
  }),
});

const DeleteTenantPayload = builder.objectRef<{ readonly id: string }>('DeleteTenantPayload').implement({
  description: 'The tenant is gone for all who act on it; what it had is removed from now on.',
  fields: (t) => ({ deletedTenantId: t.exposeID('id', { description: 'Its id, as it was given.' }) }),
});

builder.mutationField('deleteTenant', (t) =>
  t.field({
    type: DeleteTenantPayload,
    description:
      'Deletes a tenant: at once nobody acts on it and none of its jobs starts; workers then remove its jobs, files and all else, within a day or so. For super admins.',
    args: { input: t.arg({ type: DeleteTenantInput, required: true, description: 'Which one.' }) },
    errors: {
      union: { name: 'DeleteTenantResult', description: 'That it is gone, or why it is not.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input: { id, reason } }, context) =>
      write(context, async () => {
        await deleteTenant(context.deps.jobs, context.actor, { tenantId: uuidOf('Tenant', id), reason });
        return { id: String(id) };
      }),
  }),
);
