import { DomainError } from '../../../core/errors.ts';
import type { ChangedEntityRow, FeedEntityRow } from '../../../db/feed-rows.ts';
import { FEED_COLUMNS, type FeedTable } from '../../../db/feed-table.ts';
import type { EntityChange, FeedMark } from '../../../events/change.ts';
import {
  type CheckedEntityFilter,
  checkEntityFilter,
  type EntityFilter,
} from '../../../events/entity-filter.ts';
import { entityList } from '../../../events/entity-list.ts';
import { CLIP_STATUSES, type ClipStatus } from '../clip-status.ts';
import { findChangedClips } from '../sql/find-changed-clips.ts';
import { findInitialClips } from '../sql/find-initial-clips.ts';

/** Where changes of clips stand. What is left of deleted ones is in the videos' table. */
export const CLIP_TABLES: readonly FeedTable[] = [
  { ...FEED_COLUMNS, table: 'millrace.clips', entity: "'clip'", parentId: 'coalesce(r.video_id, r.call_id)' },
];

/**
 * Which clips of one tenant to watch. `queued` and `running` are one: which of both it is stands in the job,
 * and is no change of the clip.
 */
export interface ClipListFilter extends EntityFilter<ClipStatus> {
  readonly videoId?: string | null;
  /** In the place of a video. */
  readonly callId?: string | null;
}

/** What a list of clips yields. */
export type ClipFeedEvent =
  | { readonly kind: 'clip'; readonly change: EntityChange; readonly cursor: string }
  | { readonly kind: 'clipLeft'; readonly clipId: string; readonly cursor: string }
  | { readonly kind: 'clipRemoved'; readonly clipId: string; readonly cursor: string }
  | FeedMark;

/** Checks a filter and fills in its defaults. @throws DomainError `InvalidArgument` naming the field */
export function checkClipFilter(filter: ClipListFilter): CheckedEntityFilter {
  const { videoId, callId } = filter;
  if (videoId != null && callId != null) throw oneOf();
  const parent =
    callId == null ? { parentId: videoId, field: 'videoId' } : { parentId: callId, field: 'callId' };
  const checked = checkEntityFilter(filter, CLIP_STATUSES, parent);
  const stored = checked.statuses?.map((status) => (status === 'running' ? 'queued' : status)) ?? null;
  return { ...checked, statuses: stored === null ? null : [...new Set(stored)] };
}

function oneOf(): DomainError {
  const allowed = 'one of videoId and callId';
  return new DomainError('InvalidArgument', `Feed filter: both are given, allowed: ${allowed}`, {
    field: 'filter.callId',
    allowed,
  });
}

/** A list of clips, for a feed's `subscribeList`. */
export function clipList(filter: CheckedEntityFilter) {
  return entityList<ClipFeedEvent>(
    {
      name: 'clips',
      entity: 'clip',
      event: (verdict, trace, cursor) => {
        if (verdict === 'in') return { kind: 'clip', change: trace as EntityChange, cursor };
        return { kind: verdict === 'left' ? 'clipLeft' : 'clipRemoved', clipId: trace.id, cursor };
      },
      findInitial: async (tx, { tenantId, statuses, createdBy, parentId }, limit) =>
        (await tx.query<FeedEntityRow>(findInitialClips, [tenantId, limit, statuses, createdBy, parentId]))
          .rows,
      findMissed: async (tx, { tenantId, createdBy, parentId }, { parameters, maxTotal }) =>
        (
          await tx.query<ChangedEntityRow>(findChangedClips, [
            tenantId,
            ...parameters,
            createdBy,
            maxTotal,
            parentId,
          ])
        ).rows,
    },
    filter,
  );
}
