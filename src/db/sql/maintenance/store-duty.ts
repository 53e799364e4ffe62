import { statement } from '../../statement.ts';

/**
 * Notes that duty $1, which is done every $2 seconds, has had a turn of $3 ms; it has failed $4 times in a
 * row, last with $5, and is $6 seconds behind (null: it cannot say). Locks its row. Index:
 * maintenance_duties_pkey.
 */
export const storeDuty = statement(
  'store_duty',
  `
insert into millrace.maintenance_duties as d (name, every_seconds, ended_at, worked_ms, failure_count, error, lag_seconds)
values ($1, $2, clock_timestamp(), $3, $4, left($5, 500), $6::float8)
on conflict (name) do update
set every_seconds = excluded.every_seconds, ended_at = excluded.ended_at, worked_ms = excluded.worked_ms,
    failure_count = excluded.failure_count, error = excluded.error, lag_seconds = excluded.lag_seconds`,
);
