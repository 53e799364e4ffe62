import { pauseDefinition } from '../../operations/pause-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { definitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

const ResumeJobDefinitionInput = builder.inputType('ResumeJobDefinitionInput', {
  description: 'Which definition to resume.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Its key: `transcode`.' }),
    reason: t.string({ description: 'Why, in words; kept in the audit log. 1 to 1000 characters.' }),
  }),
});

builder.mutationField('resumeJobDefinition', (t) =>
  t.field({
    type: definitionPayload('ResumeJobDefinitionPayload'),
    description: 'Lets a paused definition’s jobs be claimed again. For super admins.',
    args: {
      input: t.arg({ type: ResumeJobDefinitionInput, required: true, description: 'The definition.' }),
    },
    errors: {
      union: { name: 'ResumeJobDefinitionResult', description: 'The definition, or why it is not resumed.' },
      types: [Forbidden, UnknownDefinition, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { definition, reason } }, context) =>
      write(context, async () => ({
        definitionId: await pauseDefinition(context.deps.jobs, context.actor, definition, {
          isPaused: false,
          reason,
        }),
      })),
  }),
);
