import { statement } from '../../../db/statement.ts';

/**
 * Records that the files of clips $1 (keys $2, of tenants $3) are gone. The transaction holds the clips.
 * Locks their artifacts. Indexes: clips_pkey, artifacts_tenant_id_key_key.
 */
export const expireClips = statement(
  'expire_clips',
  `
with gone as (
  delete from millrace.artifacts a using unnest($2::text[], $3::uuid[]) as t (key, tenant_id)
  where a.tenant_id = t.tenant_id and a.key = t.key
)
update millrace.clips
set status = 'expired', updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where id = any ($1::uuid[])`,
);
