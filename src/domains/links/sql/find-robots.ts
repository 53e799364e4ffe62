import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { LinkHost } from '../../../generated/prisma/client.ts';

/**
 * The robots.txt of host $1 that was read within a day; null text: the host has none. Locks nothing. Index:
 * link_hosts_pkey.
 */
export const findRobots = statement(
  'find_robots',
  `
select robots from millrace.link_hosts where host = $1 and robots_at > clock_timestamp() - interval '1 day'`,
);

export type RobotsRow = Columns<LinkHost, 'robots'>;
