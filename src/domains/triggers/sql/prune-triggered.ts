import { statement } from '../../../db/statement.ts';

/**
 * Deletes processed events, with what became of them, and runs of schedules that are older than $1 seconds,
 * at most $2 of each. Ids hold the time at which rows were made, and every uuidv7 of before that time is less
 * than the bound. Indexes: app_events_pkey, trigger_runs_pkey.
 */
export const pruneTriggered = statement(
  'prune_triggered',
  `
with bound as materialized (
  select (lpad(to_hex((extract(epoch from clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid as id
), events as (
  delete from millrace.app_events e
  where e.id in (select o.id from millrace.app_events o where o.id < (select b.id from bound b) order by o.id limit $2)
    and e.processed_at is not null
  returning 1
), runs as (
  delete from millrace.trigger_runs r
  where r.id in (select o.id from millrace.trigger_runs o where o.id < (select b.id from bound b) order by o.id limit $2)
  returning 1
)
select (select count(*)::integer from events) as events, (select count(*)::integer from runs) as runs`,
);

export interface PrunedTriggeredRow {
  readonly events: number;
  readonly runs: number;
}
