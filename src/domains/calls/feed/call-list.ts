import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';
import { defineEntityList } from '../../../events/entity-list.ts';
import { CALL_STATUSES } from '../call-status.ts';

/** Where changes of calls stand. What is left of deleted ones is in the videos' table. */
export const CALL_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.calls', entity: "'call'" },
];

/**
 * Calls of a tenant, to be followed. Indexes: calls_history_idx read backwards; calls_changed_xid_idx and
 * media_tombstones_changed_xid_idx (bitmap of both halves), calls_in_work_idx.
 */
export const callList = defineEntityList({
  name: 'calls',
  entity: 'call',
  statuses: CALL_STATUSES,
  table: {
    table: 'millrace.calls',
    createdBy: 'created_by',
    inWork: ['queued', 'transcribing', 'analyzing'],
    tombstones: 'call',
  },
});
