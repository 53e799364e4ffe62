import type { Parameters } from './parameters.ts';

/** Where a job stands in the order of ends. */
export interface FinishPlace {
  /** Microseconds since 1970, as a text: two jobs may have ended within one millisecond. */
  readonly finishedMicros: string;
  readonly id: string;
}

export interface FinishBound extends FinishPlace {
  readonly operator: '<' | '>';
}

/** The expression on a row's `finished_at`, named. */
export function finishedMicros(row: string): string {
  return `(extract(epoch from ${row}.finished_at) * 1000000)::bigint::text as "finishedMicros"`;
}

/**
 * The same in ms, with the microseconds behind the point: of a double that holds them, and of which nothing
 * has to be parsed.
 */
export function finishedMs(row: string): string {
  return `(extract(epoch from ${row}.finished_at) * 1000)::float8`;
}

const MICROS_PER_MS = 1_000n;

/**
 * Conditions on a job's row `j`, each with ` and ` before it; the index has the times, the ids are compared
 * among those of one time.
 */
export function finishBounds(bounds: readonly FinishBound[], parameters: Parameters): string {
  return bounds
    .map(({ operator, finishedMicros, id }) => {
      const at = parameters.add(timestampOf(BigInt(finishedMicros)), 'timestamptz');
      return ` and j.finished_at ${operator}= ${at} and (j.finished_at, j.id) ${operator} (${at}, ${parameters.add(id, 'uuid')})`;
    })
    .join('');
}

function timestampOf(micros: bigint): string {
  const ms = micros / MICROS_PER_MS;
  const rest = String(micros % MICROS_PER_MS).padStart(3, '0');
  return new Date(Number(ms)).toISOString().replace('Z', `${rest}Z`);
}
