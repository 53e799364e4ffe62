import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';

/** Where changes of calls stand. What is left of deleted ones is in the videos' table. */
export const CALL_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.calls', entity: "'call'" },
];
