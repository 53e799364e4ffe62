import { statement } from '../../statement.ts';

/**
 * Claims for worker $1 up to $4 jobs of tenant $2 among definitions $3, in their order; see the routine. The
 * last row is no job: it says how the claim ended. Locks the candidate rows FOR NO KEY UPDATE SKIP LOCKED,
 * limit_gates of limited lanes likewise. Index: jobs_ready_idx.
 */
export const claimTenantJobs = statement(
  'claim_tenant_jobs',
  `
select c.id, c.tenant_id, c.definition_id, c.payload, c.priority, c.scheduled_us, c.queued_us, c.is_started, c.run_no, c.max_attempts,
       c.version, c.created_by, c.rare
from millrace.claim_tenant_jobs($1, $2::uuid, $3::uuid[], $4) c`,
  { asArrays: true },
);
