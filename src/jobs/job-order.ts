import type { JobConditions } from '../db/job-walk-parts.ts';
import type { JobOrderField, TimeBound, TimeOrder } from '../db/time-order.ts';
import { cursorOf } from './list-cursor.ts';
import { frameOf, type PageArgs, type PageWindow, windowOf } from './page.ts';
import { timeCursor, timePlaceOf } from './time-cursor.ts';
import type { WalkPlace } from './walk-jobs.ts';

/**
 * In which order jobs are listed. By `finished` there are only those that have ended, by `scheduled` only
 * those that are due.
 */
export interface JobOrder {
  readonly field: JobOrderField;
  readonly direction: 'asc' | 'desc';
}

export const NEWEST_FIRST: JobOrder = { field: 'created', direction: 'desc' };

/** What to fetch of jobs in an order. */
export interface JobWindow {
  readonly window: PageWindow;
  readonly conditions: Pick<JobConditions, 'order' | 'places'>;
  readonly cursorAt: (place: WalkPlace) => string;
}

/** A window that begins behind a job, whatever else bounds it. */
export function behindJob(listed: JobWindow, { field, direction }: JobOrder, last: WalkPlace): JobWindow {
  const { window, conditions } = listed;
  if (field === 'created')
    return {
      ...listed,
      window: { ...window, id: { ...window.id, [direction === 'desc' ? 'lt' : 'gt']: last.id } },
    };
  const operator = direction === 'desc' ? '<' : '>';
  const place = { operator, id: last.id, timeMicros: last.timeMicros ?? '0' } as const;
  return { ...listed, conditions: { ...conditions, places: [...(conditions.places ?? []), place] } };
}

const LIST = 'jobs';
const TIMED_LISTS = { finished: 'jobs by end', scheduled: 'jobs by due time' } as const satisfies Record<
  TimeOrder,
  string
>;

/**
 * The window of a page of jobs. A cursor of one order is none of the other.
 * @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before`
 */
export function jobWindowOf(page: PageArgs, { field, direction }: JobOrder): JobWindow {
  if (field === 'created')
    return {
      window: windowOf(LIST, page, direction),
      conditions: { order: field },
      cursorAt: ({ id }) => cursorOf(LIST, id),
    };
  const [behind, ahead] = direction === 'desc' ? (['<', '>'] as const) : (['>', '<'] as const);
  const list = TIMED_LISTS[field];
  const places: TimeBound[] = [];
  if (page.after != null) places.push({ operator: behind, ...timePlaceOf(list, 'after', page.after) });
  if (page.before != null) places.push({ operator: ahead, ...timePlaceOf(list, 'before', page.before) });
  return {
    window: { ...frameOf(list, page, direction), id: {} },
    conditions: { order: field, places },
    cursorAt: ({ id, timeMicros = '0' }) => timeCursor(list, { id, timeMicros }),
  };
}
