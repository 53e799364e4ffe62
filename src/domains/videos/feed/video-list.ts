import type { ChangedEntityRow, FeedEntityRow } from '../../../db/feed-rows.ts';
import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';
import type { EntityChange, FeedMark } from '../../../events/change.ts';
import {
  type CheckedEntityFilter,
  checkEntityFilter,
  type EntityFilter,
} from '../../../events/entity-filter.ts';
import { entityList } from '../../../events/entity-list.ts';
import { findChangedVideos } from '../sql/find-changed-videos.ts';
import { findInitialVideos } from '../sql/find-initial-videos.ts';
import { VIDEO_STATUSES, type VideoStatus } from '../video-status.ts';

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

/** Which videos of one tenant to watch. A video that leaves the statuses is announced as `videoLeft`. */
export type VideoListFilter = EntityFilter<VideoStatus>;

/** What a list of videos yields. */
export type VideoFeedEvent =
  | { readonly kind: 'video'; readonly change: EntityChange; readonly cursor: string }
  | { readonly kind: 'videoLeft'; readonly videoId: string; readonly cursor: string }
  | { readonly kind: 'videoRemoved'; readonly videoId: string; readonly cursor: string }
  | FeedMark;

/** Checks a filter and fills in its defaults. @throws DomainError `InvalidArgument` naming the field */
export function checkVideoFilter(filter: VideoListFilter): CheckedEntityFilter {
  return checkEntityFilter(filter, VIDEO_STATUSES);
}

/** A list of videos, for a feed's `subscribeList`. */
export function videoList(filter: CheckedEntityFilter) {
  return entityList<VideoFeedEvent>(
    {
      name: 'videos',
      entity: 'video',
      event: (verdict, trace, cursor) => {
        if (verdict === 'in') return { kind: 'video', change: trace as EntityChange, cursor };
        return { kind: verdict === 'left' ? 'videoLeft' : 'videoRemoved', videoId: trace.id, cursor };
      },
      findInitial: async (tx, { tenantId, statuses, createdBy }, limit) =>
        (await tx.query<FeedEntityRow>(findInitialVideos, [tenantId, limit, statuses, createdBy])).rows,
      findMissed: async (tx, { tenantId, createdBy }, { parameters, maxTotal }) =>
        (await tx.query<ChangedEntityRow>(findChangedVideos, [tenantId, ...parameters, createdBy, maxTotal]))
          .rows,
    },
    filter,
  );
}
