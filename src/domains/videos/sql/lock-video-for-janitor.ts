import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/**
 * Holds video $1 and its clips $2 until the transaction ends, so that no stage of it begins and no clip is
 * asked for again: what puts their jobs into the queue writes these rows too. No row where somebody holds the
 * video, or it is none of ours. Crosses tenants. Locks the rows, the video first. Indexes: videos_pkey,
 * clips_pkey.
 */
export const lockVideoForJanitor = statement(
  'lock_video_for_janitor',
  `
with video as materialized (
  select v.id, v.tenant_id from millrace.videos v where v.id = $1 for no key update skip locked
), held as materialized (
  select c.id from millrace.clips c
  where c.id = any ($2::uuid[]) and (c.tenant_id, c.video_id) in (select v.tenant_id, v.id from video v)
  order by c.id for no key update
)
select v.id, (select count(*)::integer from held) as clip_count from video v`,
);

export type LockedForJanitorRow = Columns<Video, 'id'>;
