import type { DefinitionRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { RoleEnum } from './enums.ts';

export const JobDefinitionType = builder.objectRef<DefinitionRow>('JobDefinition');

builder.node(JobDefinitionType, {
  description: 'A kind of job: its payload’s schema, its limits and who may enqueue it.',
  id: { resolve: (definition) => definition.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loadersOf(context).definition.load(id)),
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Its name: `transcode`.' }),
    description: t.exposeString('description', { description: 'What it does.' }),
    payloadSchema: t.expose('argSchema', { type: 'JSON', description: 'JSON Schema of the payload.' }),
    timeoutSeconds: t.exposeInt('timeoutSeconds', { description: 'A run is ended after this many seconds.' }),
    maxAttempts: t.exposeInt('maxAttempts', { description: 'Runs in all, the first included.' }),
    leaseSeconds: t.exposeInt('leaseSeconds', {
      description: 'Seconds after which a silent worker loses the job.',
    }),
    retryPolicy: t.expose('retryPolicy', { type: 'JSON', description: 'When a failed run is tried again.' }),
    maxSnoozes: t.exposeInt('maxSnoozes', {
      nullable: true,
      description: 'How often a run may put itself off; null for no bound.',
    }),
    enqueueRole: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'The weakest role that may enqueue it; null: only Millrace itself.',
      resolve: ({ enqueueRole }) =>
        enqueueRole === 'system' ? null : (enqueueRole as 'member' | 'tenant_admin'),
    }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether it takes new jobs.' }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when its jobs are not claimed; null when they are.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});
