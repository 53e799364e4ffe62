import type { MaintenanceDuty } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * How the leader's duties go: for how long each has had no turn, and what it says of itself. Locks nothing; a
 * row a duty.
 */
export const readDuties = statement(
  'read_duties',
  `
select d.name, d.every_seconds, extract(epoch from clock_timestamp() - d.ended_at)::float8 as since_seconds, d.failure_count, d.error, d.lag_seconds
from millrace.maintenance_duties d order by d.name`,
);

export interface DutyRow
  extends Columns<MaintenanceDuty, 'name' | 'every_seconds' | 'failure_count' | 'error' | 'lag_seconds'> {
  readonly since_seconds: number;
}
