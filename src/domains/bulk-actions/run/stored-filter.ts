import type { JobFilter } from '../../../jobs/job-filter.ts';

const TIMES = ['createdAfter', 'createdBefore', 'finishedAfter', 'finishedBefore'] as const;

/** A filter as it is kept with a bulk action: what is not asked for is omitted. */
export function storedFilter(filter: JobFilter): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
}

/**
 * The filter of a stored one. Jobs that came after the bulk action began are not its own: it would not end
 * where new ones keep matching.
 * @param begunAt when the bulk action was asked for
 */
export function filterOf(stored: Readonly<Record<string, unknown>>, begunAt: Date): JobFilter {
  const times = TIMES.flatMap((name) => {
    const value = stored[name];
    return typeof value === 'string' ? [[name, new Date(value)] as const] : [];
  });
  const filter: JobFilter = { ...stored, ...Object.fromEntries(times) };
  const { createdBefore } = filter;
  return createdBefore != null && createdBefore < begunAt ? filter : { ...filter, createdBefore: begunAt };
}
