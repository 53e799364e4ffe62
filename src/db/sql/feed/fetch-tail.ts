import { statement } from '../../statement.ts';

/** The next page of the cursor that `declare_tail` opened. Locks nothing. Index: that of the cursor. */
export const fetchTail = statement('fetch_tail', 'fetch forward 1000 from tail');

/** Rows of a page; a shorter one is the last. */
export const FETCH_TAIL_ROWS = 1_000;
