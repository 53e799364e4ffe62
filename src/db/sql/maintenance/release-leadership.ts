import { statement } from '../../statement.ts';

/**
 * Gives the leadership of process $1 back, so that another need not wait for its end. Locks the one row, if
 * it is its own.
 */
export const releaseLeadership = statement(
  'release_leadership',
  'update millrace.maintenance_leader set expires_at = clock_timestamp() where holder = $1 and expires_at > clock_timestamp()',
);
