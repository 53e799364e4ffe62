import { statement } from '../../statement.ts';

/**
 * Ends each later statement of this transaction that takes longer than $1 milliseconds. Locks nothing. Index:
 * none.
 */
export const limitStatementTime = statement(
  'limit_statement_time',
  "select set_config('statement_timeout', $1::text, true)",
);
