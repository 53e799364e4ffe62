import { statement } from '../../statement.ts';

/**
 * How far behind the daily sums are: seconds since the end of the last hour that is in them, less what they
 * may wait ($1). Locks nothing.
 */
export const readUsageLag = statement(
  'read_usage_lag',
  `
select greatest(0, extract(epoch from clock_timestamp() - r.rolled_until) - 3600 - $1)::float8 as lag_seconds from millrace.usage_rollup r`,
);

export interface UsageLagRow {
  readonly lag_seconds: number;
}
