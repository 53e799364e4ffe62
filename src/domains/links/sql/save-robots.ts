import { statement } from '../../../db/statement.ts';

/** Keeps the robots.txt $2 of host $1. Locks the host's row. Index: link_hosts_pkey. */
export const saveRobots = statement(
  'save_robots',
  `
insert into millrace.link_hosts as h (host, robots, robots_at)
values ($1, $2, clock_timestamp())
on conflict (host) do update set robots = excluded.robots, robots_at = excluded.robots_at`,
);
