import { updateDefinition } from '../../operations/update-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { RateLimitInput } from '../types/rate-limit.ts';
import { write } from './write.ts';

const UpdateJobDefinitionInput = builder.inputType('UpdateJobDefinitionInput', {
  description: 'What to change of a definition: null clears, absent leaves.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `transcode`.' }),
    isActive: t.boolean({ description: 'Whether it takes new jobs.' }),
    maxRunning: t.int({ description: 'Jobs that run at a time, in all tenants together: 1 to 1000000.' }),
    maxRunningPerTenant: t.int({ description: 'The same for each tenant by itself.' }),
    rateLimit: t.field({
      type: RateLimitInput,
      description: 'Starts in a period, in all tenants together.',
    }),
    rateLimitPerTenant: t.field({
      type: RateLimitInput,
      description: 'The same for each tenant by itself.',
    }),
    retentionSeconds: t.int({ description: 'How long finished jobs are kept: 0 to 2147483647.' }),
  }),
});

builder.mutationField('updateJobDefinition', (t) =>
  t.field({
    type: definitionPayload('UpdateJobDefinitionPayload'),
    description: 'Changes the limits of a definition, in every tenant. For super admins.',
    args: {
      input: t.arg({ type: UpdateJobDefinitionInput, required: true, description: 'What to change.' }),
    },
    errors: {
      union: { name: 'UpdateJobDefinitionResult', description: 'The definition, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { definition, ...patch } }, context) =>
      write(context, async () => ({
        definitionId: await updateDefinition(context.deps.jobs, context.actor, definition, patch),
      })),
  }),
);
