import { statement } from '../../../db/statement.ts';

/**
 * Records that the files of $1 were removed: it is looked at again in $2 seconds, or, where that is null,
 * again $3 seconds after the deletion, and forgotten after that. What says that its files are there, of a
 * run that ended since, goes too. Locks the rows. Indexes: deleted_media_pkey, artifacts_subject_idx.
 */
export const endMediaSweep = statement(
  'end_media_sweep',
  `
with artifacts as (
  delete from millrace.artifacts a using millrace.deleted_media d
  where d.id = $1 and a.tenant_id = d.tenant_id and a.subject_type = d.kind and a.subject_id = d.id::text
), last as (
  delete from millrace.deleted_media
  where id = $1 and $2::float8 is null and deleted_at + make_interval(secs => $3) <= clock_timestamp()
  returning id
)
update millrace.deleted_media d
set upload_state = null,
    next_sweep_at = case when $2::float8 is null then d.deleted_at + make_interval(secs => $3)
                         else clock_timestamp() + make_interval(secs => $2) end
where d.id = $1 and not exists (select from last)`,
);
