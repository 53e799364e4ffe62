import { type Statement, statement } from '../../statement.ts';

/**
 * `read_tail` as a cursor, for ranges that are too large for one answer; `fetch_tail` reads it page by page.
 * Parameters, locks and indexes are those of `read_tail`. Its transaction is short-lived and read-only: it
 * holds back vacuum while it is open.
 */
export function declareTail(tail: Statement): Statement {
  return statement('declare_tail', `declare tail no scroll cursor for ${tail.text}`);
}
