import { statement } from '../../statement.ts';
import { readTail } from './read-tail.ts';

/**
 * `read_tail` as a cursor, for ranges that are too large for one answer; `fetch_tail` reads it page by page. Parameters, locks
 * and indexes are those of `read_tail`. Its transaction is short-lived and read-only: it holds back vacuum while it is open.
 */
export const declareTail = statement('declare_tail', `declare tail no scroll cursor for ${readTail.text}`);
