import type { Parameters } from './parameters.ts';

/**
 * What jobs are listed by: their ids; their ends, where there are only jobs that have ended; when they were
 * due, where there are only jobs that are due.
 */
export type JobOrderField = 'created' | 'finished' | 'scheduled';
/** An order by a time. */
export type TimeOrder = Exclude<JobOrderField, 'created'>;

export const TIME_COLUMNS = { finished: 'finished_at', scheduled: 'scheduled_for' } as const satisfies Record<
  TimeOrder,
  string
>;

/** Where a job stands in an order by a time. */
export interface TimePlace {
  /** Microseconds since 1970, as a text: two jobs may have ended within one millisecond. */
  readonly timeMicros: string;
  readonly id: string;
}

export interface TimeBound extends TimePlace {
  readonly operator: '<' | '>';
}

/** The expression on a row's time, named. */
export function timeMicros(row: string, order: TimeOrder): string {
  return `(extract(epoch from ${row}.${TIME_COLUMNS[order]}) * 1000000)::bigint::text as "timeMicros"`;
}

/**
 * When a row ended in ms, with the microseconds behind the point: of a double that holds them, and of which
 * nothing has to be parsed.
 */
export function finishedMs(row: string): string {
  return `(extract(epoch from ${row}.finished_at) * 1000)::float8`;
}

const MICROS_PER_MS = 1_000n;

/**
 * Conditions on a job's row `j`, each with ` and ` before it; the index has the times, the ids are compared
 * among those of one time.
 */
export function timeBounds(order: TimeOrder, bounds: readonly TimeBound[], parameters: Parameters): string {
  const column = `j.${TIME_COLUMNS[order]}`;
  return bounds
    .map(({ operator, timeMicros, id }) => {
      const at = parameters.add(timestampOf(BigInt(timeMicros)), 'timestamptz');
      return ` and ${column} ${operator}= ${at} and (${column}, j.id) ${operator} (${at}, ${parameters.add(id, 'uuid')})`;
    })
    .join('');
}

function timestampOf(micros: bigint): string {
  const ms = micros / MICROS_PER_MS;
  const rest = String(micros % MICROS_PER_MS).padStart(3, '0');
  return new Date(Number(ms)).toISOString().replace('Z', `${rest}Z`);
}
