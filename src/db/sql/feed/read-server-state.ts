import { statement } from '../../statement.ts';

/**
 * Which server this is, in which of its lives, and what is committed now. Locks nothing. Index: none.
 * A life of the server also ends when one of its processes is killed: the postmaster stays, but recovers as
 * after a crash. Its start time does not show it, the reset time of the statistics does (recovery throws them
 * away).
 */
export const readServerState = statement(
  'read_server_state',
  `
select (select system_identifier::text from pg_control_system()) as system_id,
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline,
       concat_ws('.', (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint,
                      (extract(epoch from pg_stat_get_bgwriter_stat_reset_time()) * 1000000)::bigint) as life,
       pg_current_snapshot()::text as snapshot,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`,
);

export interface ServerStateRow {
  readonly system_id: string;
  readonly timeline: number;
  readonly life: string;
  readonly snapshot: string;
  readonly now_ms: number;
}
