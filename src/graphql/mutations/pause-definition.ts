import { pauseDefinition } from '../../operations/pause-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, UnknownDefinition } from '../types/errors.ts';
import { JobDefinitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

builder.mutationField('pauseDefinition', (t) =>
  t.field({
    type: JobDefinitionPayload,
    description:
      'Stops the claims of a definition’s jobs in every tenant; those that run go on. For super admins.',
    args: { definition: t.arg.string({ required: true, description: 'Its key: `transcode`.' }) },
    errors: {
      union: { name: 'PauseDefinitionResult', description: 'The definition, or why it is not paused.' },
      types: [Forbidden, UnknownDefinition, Busy],
    },
    resolve: (_root, { definition }, context) =>
      write(context, async () => ({
        definitionId: await pauseDefinition(context.deps.jobs, context.actor, definition, true),
      })),
  }),
);
