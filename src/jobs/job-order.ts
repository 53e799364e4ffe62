import type { FinishBound } from '../db/finish-order.ts';
import type { JobConditions, JobOrderField } from '../db/job-walk-parts.ts';
import { finishCursor, finishPlaceOf } from './finish-cursor.ts';
import { cursorOf } from './list-cursor.ts';
import { frameOf, type PageArgs, type PageWindow, windowOf } from './page.ts';
import type { WalkPlace } from './walk-jobs.ts';

/** In which order jobs are listed. By `finished` there are only those that have ended. */
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
  const place = { operator, id: last.id, finishedMicros: last.finishedMicros ?? '0' } as const;
  return { ...listed, conditions: { ...conditions, places: [...(conditions.places ?? []), place] } };
}

const LIST = 'jobs';
const LIST_BY_END = 'jobs by end';

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
  const places: FinishBound[] = [];
  if (page.after != null)
    places.push({ operator: behind, ...finishPlaceOf(LIST_BY_END, 'after', page.after) });
  if (page.before != null)
    places.push({ operator: ahead, ...finishPlaceOf(LIST_BY_END, 'before', page.before) });
  return {
    window: { ...frameOf(LIST_BY_END, page, direction), id: {} },
    conditions: { order: field, places },
    cursorAt: ({ id, finishedMicros = '0' }) => finishCursor(LIST_BY_END, { id, finishedMicros }),
  };
}
