import { createDefinition } from '../../operations/create-definition.ts';
import { patchOf } from '../../operations/definition-input.ts';
import { builder } from '../builder.ts';
import { settingFields } from '../types/definition-settings.ts';
import { AlreadyExists, Busy, Forbidden, InvalidArgument } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const CreateJobDefinitionInput = builder.inputType('CreateJobDefinitionInput', {
  description: 'A new definition; what is absent is as by default.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: 'Its key: `sync-dropbox`. 1 to 100 of a-z, 0-9, _, -, ., starting with a letter.',
    }),
    ...settingFields(t),
  }),
});

builder.mutationField('createJobDefinition', (t) =>
  t.field({
    type: definitionPayload('CreateJobDefinitionPayload'),
    description:
      'Makes a job definition. Workers that have a command or a handler for its key serve it without a restart. For super admins.',
    args: {
      input: t.arg({ type: CreateJobDefinitionInput, required: true, description: 'The definition.' }),
    },
    errors: {
      union: { name: 'CreateJobDefinitionResult', description: 'The definition, or why there is none.' },
      types: [Forbidden, InvalidArgument, AlreadyExists, Busy],
    },
    resolve: (_root, { input: { key, ...settings } }, context) =>
      write(context, async () => ({
        definitionId: await createDefinition(context.deps.jobs, context.actor, key, patchOf(settings)),
      })),
  }),
);
