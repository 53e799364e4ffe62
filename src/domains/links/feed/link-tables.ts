import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';

/** Where changes of links stand. What is left of deleted ones is where the videos' is. */
export const LINK_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.links', entity: "'link'" },
];
