import { statement } from '../../../db/statement.ts';

/**
 * Removes what says that the file $1 is there, as an artifact too. Locks the rows. Indexes: job_files_pkey,
 * artifacts_tenant_id_key_key.
 */
export const deleteJobFile = statement(
  'delete_job_file',
  `
with gone as (
  delete from millrace.job_files where key = $1 returning tenant_id, key
)
delete from millrace.artifacts a using gone g where a.tenant_id = g.tenant_id and a.key = g.key`,
);
