import type { EventFact, ScheduleFact } from '../facts.ts';
import type { Judge } from './indexed.ts';

/**
 * Each event was processed and made one job at each trigger that listens to it; each tick of a schedule made
 * one job, and no tick between the first and the last is missing.
 */
export const judgeTriggered: Judge = ({ plannedEvents, events, schedules }) => {
  const missing =
    events.length === plannedEvents
      ? []
      : [`${plannedEvents} events were emitted, ${events.length} are there`];
  return [...missing, ...events.flatMap(problemsOfEvent), ...schedules.flatMap(problemsOfSchedule)];
};

function problemsOfEvent({ no, isProcessed, triggerCount, madeBy }: EventFact): readonly string[] {
  if (!isProcessed) return [`event ${no} was never processed`];
  const distinct = new Set(madeBy).size;
  if (madeBy.length === triggerCount && distinct === triggerCount) return [];
  return [`event ${no} made ${madeBy.length} jobs at ${distinct} of ${triggerCount} triggers`];
}

function problemsOfSchedule({ triggerId, everySeconds, ticksMs }: ScheduleFact): readonly string[] {
  if (ticksMs.length === 0) return [`schedule ${triggerId} has made no job`];
  const sorted = ticksMs.toSorted((a, b) => a - b);
  const problems: string[] = [];
  for (const [index, atMs] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined || atMs - before === everySeconds * 1_000) continue;
    const what = atMs === before ? 'made two jobs at' : 'made no job before';
    problems.push(`schedule ${triggerId} ${what} ${new Date(atMs).toISOString()}`);
  }
  return problems;
}
