import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';
import { defineEntityList } from '../../../events/entity-list.ts';
import { VIDEO_STATUSES } from '../video-status.ts';

/** Where changes of videos stand, and what is left of deleted ones; clips leave the same. */
export const VIDEO_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.videos', entity: "'video'", createdBy: 'r.owner_id' },
  {
    ...FEED_COLUMNS,
    table: 'millrace.media_tombstones',
    entity: 'r.kind',
    isOfDeleted: true,
    status: 'null',
    version: 'null',
    parentId: 'r.video_id',
  },
];

/**
 * Videos of a tenant, to be followed. Indexes: videos_history_idx read backwards; videos_changed_xid_idx and
 * media_tombstones_changed_xid_idx (bitmap of both halves), videos_in_work_idx.
 */
export const videoList = defineEntityList({
  name: 'videos',
  entity: 'video',
  statuses: VIDEO_STATUSES,
  table: {
    table: 'millrace.videos',
    createdBy: 'owner_id',
    inWork: ['uploaded', 'processing', 'transcoded'],
    tombstones: 'video',
  },
});
