import { pauseDefinition } from '../../operations/pause-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const PauseJobDefinitionInput = builder.inputType('PauseJobDefinitionInput', {
  description: 'Which definition to pause.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `transcode`.' }),
    reason: t.string({ description: 'Why, in words; kept in the audit log. 1 to 1000 characters.' }),
  }),
});

builder.mutationField('pauseJobDefinition', (t) =>
  t.field({
    type: definitionPayload('PauseJobDefinitionPayload'),
    description:
      'Stops the claims of a definition’s jobs in every tenant; those that run go on. For super admins.',
    args: { input: t.arg({ type: PauseJobDefinitionInput, required: true, description: 'The definition.' }) },
    errors: {
      union: { name: 'PauseJobDefinitionResult', description: 'The definition, or why it is not paused.' },
      types: [Forbidden, UnknownDefinition, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { definition, reason } }, context) =>
      write(context, async () => ({
        definitionId: await pauseDefinition(context.deps.jobs, context.actor, definition, {
          isPaused: true,
          reason,
        }),
      })),
  }),
);
