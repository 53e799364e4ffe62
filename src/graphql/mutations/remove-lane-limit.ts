import { removeLaneLimit } from '../../operations/lane-limits.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, NotFound, UnknownDefinition } from '../types/errors.ts';
import { TenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

builder.mutationField('removeLaneLimit', (t) =>
  t.field({
    type: TenantPayload,
    description:
      'Takes the limits of the tenant that the caller acts on for one definition away. For super admins.',
    args: { definition: t.arg.string({ required: true, description: 'The definition’s key.' }) },
    errors: {
      union: { name: 'RemoveLaneLimitResult', description: 'The tenant, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, NotFound, Busy],
    },
    resolve: (_root, { definition }, context) =>
      write(context, async () => {
        await removeLaneLimit(context.deps.jobs, context.actor, definition);
        return { kind: 'tenant' } as const;
      }),
  }),
);
