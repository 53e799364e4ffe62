import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * Claims up to $3 jobs for worker $1 among definitions $2, walking at most $6 lanes a stretch from lane ($4, $5) on.
 * Crosses tenants. Locks the candidate rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx. See the claim migration.
 */
export const claimJobs = statement(
  'claim_jobs',
  `
select (c.claimed).*, c.cursor_tenant_id, c.cursor_definition_id
from millrace.claim_jobs($1, $2::uuid[], $3, $4::uuid, $5::uuid, $6) c
order by (c.claimed).priority, (c.claimed).scheduled_for, (c.claimed).id`,
);

export interface ClaimedRow extends JobRow {
  readonly lease_token: string;
  readonly lease_expires_at: Date;
  readonly cursor_tenant_id: string;
  readonly cursor_definition_id: string;
}
