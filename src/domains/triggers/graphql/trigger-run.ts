import { builder } from '../../../graphql/builder.ts';
import { loadersOf } from '../../../graphql/context.ts';
import { JobType } from '../../../graphql/types/job.ts';
import type { RunOutcome } from '../dispatch/run-log.ts';
import { findEvent, findTrigger, runsByIds } from '../use-cases/find-triggers.ts';
import { TriggerRunOutcomeEnum } from './enums.ts';
import { EventType, TriggerRunType, TriggerType } from './refs.ts';

builder.node(TriggerRunType, {
  description: 'What became of one run of a schedule, or of one event at one trigger.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => runsByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key in SQL.' }),
    outcome: t.field({
      type: TriggerRunOutcomeEnum,
      description: 'What became of it.',
      resolve: ({ outcome }) => outcome as RunOutcome,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why there is no job.' }),
    scheduledAt: t.expose('scheduledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The run’s own time; null for an event, and for a run by hand.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was decided.' }),
    trigger: t.field({
      type: TriggerType,
      nullable: true,
      description: 'The trigger.',
      resolve: ({ triggerId }, _args, { actor, operation }) =>
        findTrigger(operation.transaction, actor, triggerId),
    }),
    event: t.field({
      type: EventType,
      nullable: true,
      description: 'The event; null for a schedule.',
      resolve: ({ eventId }, _args, { actor, operation }) =>
        eventId === null ? null : findEvent(operation.transaction, actor, eventId),
    }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job that it made, or that stood for it; null when there was none or it is deleted.',
      resolve: ({ jobId }, _args, context) => (jobId === null ? null : loadersOf(context).job.load(jobId)),
    }),
  }),
});
