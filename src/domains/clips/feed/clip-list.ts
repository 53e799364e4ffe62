import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';
import { defineEntityList } from '../../../events/entity-list.ts';
import { CLIP_STATUSES } from '../clip-status.ts';

/** Where changes of clips stand. What is left of deleted ones is in the videos' table. */
export const CLIP_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.clips', entity: "'clip'", parentId: 'coalesce(r.video_id, r.call_id)' },
];

/**
 * Clips of a tenant, to be followed. `queued` and `running` are one: which of both it is stands in the job,
 * and is no change of the clip. Indexes: clips_video_idx with a video, clips_call_idx with a call, else
 * clips_history_idx read backwards; clips_changed_xid_idx and media_tombstones_changed_xid_idx (bitmap of
 * both halves), clips_in_work_idx.
 */
export const clipList = defineEntityList({
  name: 'clips',
  entity: 'clip',
  statuses: CLIP_STATUSES,
  storedStatus: (status) => (status === 'running' ? 'queued' : status),
  table: {
    table: 'millrace.clips',
    createdBy: 'created_by',
    inWork: ['queued'],
    tombstones: 'clip',
    parents: ['video_id', 'call_id'],
  },
});
