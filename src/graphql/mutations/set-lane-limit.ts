import { setLaneLimit } from '../../operations/lane-limits.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, NotFound, UnknownDefinition } from '../types/errors.ts';
import { RateLimitInput } from '../types/rate-limit.ts';
import { tenantPayload } from '../types/tenant.ts';
import { write } from './write.ts';

const SetLaneLimitInput = builder.inputType('SetLaneLimitInput', {
  description: 'The tenant’s own limits for one definition: null clears, absent leaves.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'The definition’s key: `transcode`.' }),
    maxRunning: t.int({
      description: 'Jobs that run at a time: 1 to 1000000; null: as the definition says for each tenant.',
    }),
    rateLimit: t.field({
      type: RateLimitInput,
      description: 'Starts in a period; null: as the definition says for each tenant.',
    }),
  }),
});

builder.mutationField('setLaneLimit', (t) =>
  t.field({
    type: tenantPayload('SetLaneLimitPayload'),
    description: 'Sets limits of the tenant that the caller acts on for one definition. For super admins.',
    args: { input: t.arg({ type: SetLaneLimitInput, required: true, description: 'The limits.' }) },
    errors: {
      union: { name: 'SetLaneLimitResult', description: 'The tenant, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input: { definition, ...patch } }, context) =>
      write(context, async () => {
        await setLaneLimit(context.deps.jobs, context.actor, definition, patch);
        return { kind: 'tenant' } as const;
      }),
  }),
);
