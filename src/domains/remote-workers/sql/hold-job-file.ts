import { statement } from '../../../db/statement.ts';

/**
 * Keeps $4 bytes free for an upload of the file $1 of tenant $2's job $3, for $5 seconds; a file that is
 * there already is to be replaced. Locks the row. Index: job_files_pkey.
 */
export const holdJobFile = statement(
  'hold_job_file',
  `
insert into millrace.job_files (key, tenant_id, job_id, size_bytes, held_until)
values ($1, $2::uuid, $3::uuid, $4::bigint, clock_timestamp() + make_interval(secs => $5))
on conflict (key) do update set size_bytes = excluded.size_bytes, uploaded_at = null, held_until = excluded.held_until`,
);
