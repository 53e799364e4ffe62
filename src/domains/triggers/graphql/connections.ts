import { builder } from '../../../graphql/builder.ts';
import { EventType, TriggerRunType, TriggerType } from './refs.ts';

export const TriggerConnection = builder.connectionObject(
  { type: TriggerType, name: 'TriggerConnection', description: 'A page of triggers, newest first.' },
  { name: 'TriggerEdge', description: 'A trigger with its cursor.' },
);

export const EventConnection = builder.connectionObject(
  { type: EventType, name: 'EventConnection', description: 'A page of events, newest first.' },
  { name: 'EventEdge', description: 'An event with its cursor.' },
);

export const TriggerRunConnection = builder.connectionObject(
  { type: TriggerRunType, name: 'TriggerRunConnection', description: 'A page of runs, newest first.' },
  { name: 'TriggerRunEdge', description: 'A run with its cursor.' },
);
