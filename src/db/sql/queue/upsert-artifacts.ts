import { statement } from '../../statement.ts';

/**
 * Records what a run published. The settling run wins over an earlier one's row for the same key: it holds
 * the fence. Locks the rows in key order. Index: artifacts_tenant_id_key_key.
 */
export const upsertArtifacts = statement(
  'upsert_artifacts',
  `
insert into millrace.artifacts
  (tenant_id, job_id, run_no, subject_type, subject_id, kind, key, size_bytes, sha256, content_type, metadata)
select $1, $2, $3, $4, $5, t.*
from unnest($6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::jsonb[])
  as t (kind, key, size_bytes, sha256, content_type, metadata)
order by t.key
on conflict (tenant_id, key) do update
set job_id = excluded.job_id, run_no = excluded.run_no, subject_type = excluded.subject_type, subject_id = excluded.subject_id,
    kind = excluded.kind, size_bytes = excluded.size_bytes, sha256 = excluded.sha256, content_type = excluded.content_type,
    metadata = excluded.metadata, created_at = now()`,
);
