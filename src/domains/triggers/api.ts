export { eventNameOfPattern, parseEmittedName } from './event-name.ts';
export { type InsertedEventRow, insertEvent } from './sql/insert-event.ts';
export { lockTrigger, type TriggerLockRow } from './sql/lock-trigger.ts';
