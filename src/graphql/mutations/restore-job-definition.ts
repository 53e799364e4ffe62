import { archiveDefinition } from '../../operations/archive-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, UnknownDefinition, WrongState } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const RestoreJobDefinitionInput = builder.inputType('RestoreJobDefinitionInput', {
  description: 'Which definition to restore.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `sync-dropbox`.' }),
  }),
});

builder.mutationField('restoreJobDefinition', (t) =>
  t.field({
    type: definitionPayload('RestoreJobDefinitionPayload'),
    description: 'Takes an archived definition back. For super admins.',
    args: {
      input: t.arg({ type: RestoreJobDefinitionInput, required: true, description: 'The definition.' }),
    },
    errors: {
      union: { name: 'RestoreJobDefinitionResult', description: 'The definition, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, WrongState, Busy],
    },
    resolve: (_root, { input: { definition } }, context) =>
      write(context, async () => ({
        definitionId: await archiveDefinition(context.deps.jobs, context.actor, definition, false),
      })),
  }),
);
