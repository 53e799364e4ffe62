import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { DeletedMedia } from '../../../generated/prisma/client.ts';

/**
 * Up to $1 deleted videos and clips whose files are to be looked for now, and whether a job about one is
 * still active. Crosses tenants. Locks nothing. Indexes: deleted_media_sweep_idx, jobs_subject_idx.
 */
export const findDeletedMedia = statement(
  'find_deleted_media',
  `
select d.id, d.kind, d.tenant_id, d.video_id, d.original_key, d.upload_state,
       exists (
         select from millrace.jobs j
         where j.tenant_id = d.tenant_id and j.subject_type = case d.kind when 'call_clip' then 'clip' else d.kind end and j.subject_id = d.id::text
           and j.status in ('queued', 'running')) as is_active
from millrace.deleted_media d
where d.next_sweep_at <= clock_timestamp()
order by d.next_sweep_at
limit $1`,
);

export interface DeletedMediaRow
  extends Columns<DeletedMedia, 'id' | 'kind' | 'tenant_id' | 'video_id' | 'original_key' | 'upload_state'> {
  readonly kind: 'video' | 'clip' | 'call' | 'call_clip';
  readonly upload_state: Readonly<Record<string, unknown>> | null;
  readonly is_active: boolean;
}
