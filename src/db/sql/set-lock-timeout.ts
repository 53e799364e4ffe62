import { statement } from '../statement.ts';

/** How long this transaction waits for a row or key that another holds. Locks nothing. */
export const setLockTimeout = statement('set_lock_timeout', `select set_config('lock_timeout', $1, true)`);
