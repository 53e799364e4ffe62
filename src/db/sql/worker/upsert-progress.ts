import { statement } from '../../statement.ts';

/**
 * Writes the newest progress of running jobs, one row a job. Crosses tenants; fenced: a run whose lease is
 * gone writes nothing, and an older run never overwrites a newer one's row. Locks the progress rows in job id
 * order; of jobs it only reads. No B-tree has a column that an update changes, so it stays HOT. Indexes:
 * jobs_pkey, job_progress_pkey.
 */
export const upsertProgress = statement(
  'upsert_progress',
  `
insert into millrace.job_progress as p
  (job_id, tenant_id, run_no, percent, stage, message, eta_seconds, preview_key, updated_at, changed_xid)
select j.id, j.tenant_id, i.run_no, i.percent, i.stage, i.message, i.eta_seconds, i.preview_key, clock_timestamp(), pg_current_xact_id()
from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::real[], $5::text[], $6::text[], $7::real[], $8::text[])
  as i (id, run_no, token, percent, stage, message, eta_seconds, preview_key)
join millrace.jobs j on j.id = i.id and j.run_no = i.run_no and j.lease_token = i.token
order by j.id
on conflict (job_id) do update
set run_no = excluded.run_no, percent = excluded.percent, stage = excluded.stage, message = excluded.message,
    eta_seconds = excluded.eta_seconds, preview_key = excluded.preview_key, updated_at = excluded.updated_at, changed_xid = excluded.changed_xid
where p.run_no <= excluded.run_no`,
);
