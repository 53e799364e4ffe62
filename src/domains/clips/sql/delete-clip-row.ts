import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Clip } from '../../../generated/prisma/client.ts';

/**
 * Removes a clip and what says that its file is there, and records that the file is to be removed. Locks
 * those rows.
 * Indexes: clips_pkey, artifacts_subject_idx.
 */
export const deleteClipRow = statement(
  'delete_clip_row',
  `
with gone as (
  delete from millrace.clips where tenant_id = $1 and id = $2 returning id, video_id, call_id, t_start_ms, t_end_ms
), artifacts as (
  delete from millrace.artifacts a using gone g
  where a.tenant_id = $1 and a.subject_type = 'clip' and a.subject_id = g.id::text
), files as (
  insert into millrace.deleted_media (id, kind, tenant_id, video_id) 
  select id, case when call_id is null then 'clip' else 'call_clip' end, $1, coalesce(video_id, call_id) from gone
)
select video_id, call_id, t_start_ms::float8 as start_ms, t_end_ms::float8 as end_ms from gone`,
);

export interface DeletedClipRow extends Columns<Clip, 'video_id' | 'call_id'> {
  readonly start_ms: number;
  readonly end_ms: number;
}
