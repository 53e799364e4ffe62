import { removeLaneLimit } from '../../operations/lane-limits.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, NotFound, UnknownDefinition } from '../types/errors.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const RemoveLaneLimitInput = builder.inputType('RemoveLaneLimitInput', {
  description: 'Whose limits to remove.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'The definition’s key: `transcode`.' }),
  }),
});

builder.mutationField('removeLaneLimit', (t) =>
  t.field({
    type: tenantPayload('RemoveLaneLimitPayload'),
    description:
      'Takes the limits of the tenant that the caller acts on for one definition away. For super admins.',
    args: { input: t.arg({ type: RemoveLaneLimitInput, required: true, description: 'Which ones.' }) },
    errors: {
      union: { name: 'RemoveLaneLimitResult', description: 'The tenant, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, NotFound, Busy],
    },
    resolve: (_root, { input: { definition } }, context) =>
      write(context, async () => {
        await removeLaneLimit(context.deps.jobs, context.actor, definition);
        return { kind: 'tenant' } as const;
      }),
  }),
);
