import { statement } from '../../statement.ts';

/**
 * Takes the lock of the maintenance round, if nobody else has it, until the end of this transaction: one process at a time
 * does the round, and one that dies or is cut off gives it back by itself. The number is 'mill' in ASCII.
 */
export const tryMaintenanceLock = statement(
  'try_maintenance_lock',
  'select pg_try_advisory_xact_lock(1835625580, 1) as taken',
);
