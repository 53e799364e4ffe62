import { archiveDefinition } from '../../operations/archive-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, UnknownDefinition, WrongState } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const ArchiveJobDefinitionInput = builder.inputType('ArchiveJobDefinitionInput', {
  description: 'Which definition to archive.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `sync-dropbox`.' }),
  }),
});

builder.mutationField('archiveJobDefinition', (t) =>
  t.field({
    type: definitionPayload('ArchiveJobDefinitionPayload'),
    description:
      'Archives a definition that no code declares: nothing is enqueued or claimed of it any more, its jobs stay. For super admins.',
    args: {
      input: t.arg({ type: ArchiveJobDefinitionInput, required: true, description: 'The definition.' }),
    },
    errors: {
      union: { name: 'ArchiveJobDefinitionResult', description: 'The definition, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, WrongState, Busy],
    },
    resolve: (_root, { input: { definition } }, context) =>
      write(context, async () => ({
        definitionId: await archiveDefinition(context.deps.jobs, context.actor, definition, true),
      })),
  }),
);
