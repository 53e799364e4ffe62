import { builder } from '../../../graphql/builder.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { findEvent, findEvents, findTrigger, findTriggers } from '../use-cases/find-triggers.ts';
import { EventConnection, TriggerConnection } from './connections.ts';
import { TriggerKindEnum } from './enums.ts';
import { EventType, TriggerType } from './refs.ts';

const TriggerFilterInput = builder.inputType('TriggerFilter', {
  description: 'Which triggers. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({
    kind: t.field({ type: TriggerKindEnum, description: 'What starts them.' }),
    isEnabled: t.boolean({ description: 'Enabled or disabled ones.' }),
    lastRunFailed: t.boolean({
      description:
        'True: those whose last run failed, as its job has failed for good, or it made none for another reason than that it was a duplicate, its condition was false or it was disabled. False: the others.',
    }),
  }),
});

const EventFilterInput = builder.inputType('EventFilter', {
  description: 'Which events. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({ name: t.string({ description: 'Events of exactly this name.' }) }),
});

builder.queryFields((t) => ({
  trigger: t.field({
    type: TriggerType,
    nullable: true,
    authScopes: { member: true },
    description: 'One trigger; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, { actor, operation }) =>
      findTrigger(operation.transaction, actor, uuidOf('Trigger', id)),
  }),
  triggers: t.field({
    type: TriggerConnection,
    nullable: true,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'The tenant’s triggers, newest first.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: TriggerFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, operation }) =>
      toConnection(await findTriggers(operation.transaction, actor, filter ?? {}, page)),
  }),
  event: t.field({
    type: EventType,
    nullable: true,
    authScopes: { member: true },
    description: 'One event; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, { actor, operation }) =>
      findEvent(operation.transaction, actor, uuidOf('Event', id)),
  }),
  events: t.field({
    type: EventConnection,
    nullable: true,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'The tenant’s events, newest first.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: EventFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, operation }) =>
      toConnection(await findEvents(operation.transaction, actor, filter ?? {}, page)),
  }),
}));
