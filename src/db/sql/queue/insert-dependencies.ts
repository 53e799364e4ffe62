import { statement } from '../../statement.ts';

/**
 * Writes the edges of jobs that the transaction has just inserted, to parents that it holds
 * (lock_parent_dependencies). Locks nothing more. Index: job_dependencies_pkey.
 */
export const insertDependencies = statement(
  'insert_dependencies',
  `
insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id, policy)
select t.job_id, t.depends_on_id, $1::uuid, t.policy
from unnest($2::uuid[], $3::uuid[], $4::text[]) as t (job_id, depends_on_id, policy)`,
);
