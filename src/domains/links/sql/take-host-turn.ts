import { statement } from '../../../db/statement.ts';

/**
 * Takes the next turn at host $1, turns being $2 ms apart, unless it is more than $3 ms away: then it is left
 * where it is. Gives how long to wait for it, and whether it was taken. Locks the host's row. Index:
 * link_hosts_pkey.
 */
export const takeHostTurn = statement(
  'take_host_turn',
  `
insert into millrace.link_hosts as h (host, next_at)
values ($1, clock_timestamp() + $2::float8 * interval '1 ms')
on conflict (host) do update
set next_at = case when h.next_at > clock_timestamp() + $3::float8 * interval '1 ms' then h.next_at
              else greatest(h.next_at, clock_timestamp()) + $2::float8 * interval '1 ms' end
returning old.next_at is distinct from new.next_at as is_taken,
  greatest(0, extract(epoch from coalesce(old.next_at, clock_timestamp()) - clock_timestamp()) * 1000)::float8 as wait_ms`,
);

export interface HostTurnRow {
  readonly is_taken: boolean;
  readonly wait_ms: number;
}
