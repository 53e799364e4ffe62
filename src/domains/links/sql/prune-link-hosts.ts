import { statement } from '../../../db/statement.ts';

/**
 * Deletes at most $2 hosts whose turn came, and whose robots.txt was read, more than $1 seconds ago. Locks
 * their rows, skipping those that somebody takes a turn at. Index: link_hosts_next_idx, link_hosts_pkey.
 */
export const pruneLinkHosts = statement(
  'prune_link_hosts',
  `
delete from millrace.link_hosts h
where h.host = any (array(
  select o.host from millrace.link_hosts o
  where o.next_at < clock_timestamp() - make_interval(secs => $1)
    and coalesce(o.robots_at, o.next_at) < clock_timestamp() - make_interval(secs => $1)
  order by o.next_at
  limit $2
  for update skip locked))`,
);
