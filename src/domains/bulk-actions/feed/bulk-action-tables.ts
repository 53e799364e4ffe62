import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';

/** Where changes of bulk actions stand. */
export const BULK_ACTION_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.bulk_actions', entity: "'bulk_action'" },
];
