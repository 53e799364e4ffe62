import { patchOf } from '../../operations/definition-input.ts';
import { updateDefinition } from '../../operations/update-definition.ts';
import { builder } from '../builder.ts';
import { DefinitionSettingEnum, settingFields } from '../types/definition-settings.ts';
import { Busy, Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const UpdateJobDefinitionInput = builder.inputType('UpdateJobDefinitionInput', {
  description:
    'What to change of a definition: null clears, absent leaves. What is set here stays when processes start that declare another value.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `transcode`.' }),
    ...settingFields(t),
    reset: t.field({
      type: [DefinitionSettingEnum],
      description: 'Settings that go back to what code declares, or to their defaults.',
    }),
  }),
});

builder.mutationField('updateJobDefinition', (t) =>
  t.field({
    type: definitionPayload('UpdateJobDefinitionPayload'),
    description: 'Changes the settings of a definition, in every tenant. For super admins.',
    args: {
      input: t.arg({ type: UpdateJobDefinitionInput, required: true, description: 'What to change.' }),
    },
    errors: {
      union: { name: 'UpdateJobDefinitionResult', description: 'The definition, or why it stays as it is.' },
      types: [Forbidden, UnknownDefinition, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { definition, reset, ...settings } }, context) =>
      write(context, async () => ({
        definitionId: await updateDefinition(
          context.deps.jobs,
          context.actor,
          definition,
          patchOf(settings),
          reset ?? [],
        ),
      })),
  }),
);
