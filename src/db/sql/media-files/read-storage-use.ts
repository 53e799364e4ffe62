import type { Tenant } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What a tenant keeps in the store, and what it is about to: originals with what is made of them, clips,
 * recordings of calls with their sound, files of jobs, and uploads that run or may begin at any moment, each
 * video and each call once, but for the one $2. A recording counts by its call until its first stage has
 * ended, and by its artifact from then on. $3: for how many seconds an upload URL is good. Locks nothing.
 * Reads the tenant's videos and calls.
 * Indexes: videos_history_idx, calls_history_idx, artifacts_subject_idx, clips by tenant,
 * uploads_video_id_key, video_puts_pkey, job_files_tenant_idx.
 */
export const readStorageUse = statement(
  'read_storage_use',
  `
select t.max_stored_bytes,
  (select coalesce(sum(coalesce(v.size_bytes, 0) + v.made_bytes), 0) from millrace.videos v where v.tenant_id = t.id and v.status <> 'awaiting_upload')
  + (select coalesce(sum(c.size_bytes), 0) from millrace.clips c where c.tenant_id = t.id and c.status = 'ready')
  + (select coalesce(sum(c.size_bytes), 0) from millrace.calls c
     where c.tenant_id = t.id and c.status <> 'awaiting_upload' and c.duration_ms is null)
  + (select coalesce(sum(a.size_bytes), 0) from millrace.artifacts a where a.tenant_id = t.id and a.subject_type = 'call')
  + (select coalesce(sum(f.size_bytes), 0) from millrace.job_files f where f.tenant_id = t.id and f.uploaded_at is not null) as used_bytes,
  (select coalesce(sum(greatest(
     case when v.created_at > clock_timestamp() - make_interval(secs => $3) then coalesce(v.size_bytes, 0) else 0 end,
     (select u.size_bytes from millrace.uploads u
      where u.video_id = v.id and u.completed_at is null and u.expires_at > clock_timestamp()),
     (select greatest(p.stored_bytes, case when p.held_until > clock_timestamp() then p.size_bytes else 0 end)
      from millrace.video_puts p where p.video_id = v.id))), 0)
   from millrace.videos v
   where v.tenant_id = t.id and v.status = 'awaiting_upload' and v.id is distinct from $2::uuid)
  + (select coalesce(sum(c.size_bytes), 0) from millrace.calls c
     where c.tenant_id = t.id and c.status = 'awaiting_upload' and c.id is distinct from $2::uuid
       and c.created_at > clock_timestamp() - make_interval(secs => $3))
  + (select coalesce(sum(f.size_bytes), 0) from millrace.job_files f
     where f.tenant_id = t.id and f.uploaded_at is null and f.held_until > clock_timestamp()) as reserved_bytes
from millrace.tenants t where t.id = $1`,
);

/** Numeric and bigint, as text. */
export interface StorageUseRow extends Columns<Tenant, 'max_stored_bytes'> {
  readonly used_bytes: string;
  readonly reserved_bytes: string;
}
