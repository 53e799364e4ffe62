import { pauseDefinition } from '../../operations/pause-definition.ts';
import { builder } from '../builder.ts';
import { Busy, Forbidden, UnknownDefinition } from '../types/errors.ts';
import { JobDefinitionPayload } from '../types/job-definition.ts';
import { write } from './write.ts';

builder.mutationField('resumeDefinition', (t) =>
  t.field({
    type: JobDefinitionPayload,
    description: 'Lets a paused definition’s jobs be claimed again. For super admins.',
    args: { definition: t.arg.string({ required: true, description: 'Its key: `transcode`.' }) },
    errors: {
      union: { name: 'ResumeDefinitionResult', description: 'The definition, or why it is not resumed.' },
      types: [Forbidden, UnknownDefinition, Busy],
    },
    resolve: (_root, { definition }, context) =>
      write(context, async () => ({
        definitionId: await pauseDefinition(context.deps.jobs, context.actor, definition, false),
      })),
  }),
);
