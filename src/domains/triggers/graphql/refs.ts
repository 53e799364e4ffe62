import type { EventRow, TriggerRow, TriggerRunRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

/**
 * Triggers, events and runs lead to each other; the references stand apart so that none of their files
 * imports another.
 */
export const TriggerType = builder.objectRef<TriggerRow>('Trigger');
export const EventType = builder.objectRef<EventRow>('Event');
export const TriggerRunType = builder.objectRef<TriggerRunRow>('TriggerRun');
