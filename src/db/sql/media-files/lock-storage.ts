import { statement } from '../../statement.ts';

/**
 * Lets those who are about to take bytes in for the tenant $1 look at its use one after another, until their
 * transactions end.
 */
export const lockStorage = statement(
  'lock_storage',
  `select pg_advisory_xact_lock(hashtextextended('millrace.storage ' || $1::text, 0))`,
);
