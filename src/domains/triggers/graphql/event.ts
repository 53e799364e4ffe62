import { maskPayload } from '../../../core/redaction/secret-fields.ts';
import { builder } from '../../../graphql/builder.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { eventsByIds, findTriggerRuns } from '../use-cases/find-triggers.ts';
import { TriggerRunConnection } from './connections.ts';
import { EventType } from './refs.ts';

builder.node(EventType, {
  description:
    'Something that happened, which triggers may listen to. It never changes but for its processing.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => eventsByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key in SQL, logs and `Job.sourceRef`.' }),
    name: t.exposeString('name', { description: 'Its name: `provider.folder.updated`.' }),
    data: t.field({
      type: 'JSON',
      description:
        'What templates and conditions read; secrets, by the names of their fields, are shown as •••.',
      resolve: ({ data }) => maskPayload({}, data),
    }),
    correlationId: t.exposeString('correlationId', {
      nullable: true,
      description: 'Carried on to its jobs; its UUID where it is null.',
    }),
    sourceRef: t.exposeString('sourceRef', { nullable: true, description: 'Where it comes from.' }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who emitted it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was emitted.' }),
    processedAt: t.expose('processedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its jobs were made; null before.',
    }),
    jobCount: t.exposeInt('jobCount', { description: 'Jobs that it made.' }),
    triggerCount: t.exposeInt('triggerCount', {
      description: 'Triggers that listened to its name, disabled ones too; 0: no trigger does.',
    }),
    runs: t.field({
      type: TriggerRunConnection,
      complexity: pageComplexity,
      description: 'What became of it at each trigger that listens to its name, and why.',
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, page, { actor, operation }) =>
        toConnection(await findTriggerRuns(operation.transaction, actor, { eventId: id }, page)),
    }),
  }),
});
