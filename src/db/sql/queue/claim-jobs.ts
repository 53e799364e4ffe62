import type { JobError, JobSource } from '../../../core/job.ts';
import { statement } from '../../statement.ts';

/**
 * Claims for worker $1 among definitions $2: up to $3 jobs of any lane and up to $4 more of definitions $5 where nothing limits
 * them, from lane ($6, $7) on, which has $8 jobs of its turn left; at most $9 lanes a stretch. $10 to $15: what is known to
 * be gone at the head of busy lanes (see LaneMarks). The last row has no job: it says where the next claim goes on.
 * Crosses tenants. Locks the candidate rows FOR NO KEY UPDATE SKIP LOCKED, limit_gates of limited lanes likewise; waits for
 * nobody. Indexes: jobs_ready_idx, jobs_running_idx for limits. See the claim's migrations.
 */
export const claimJobs = statement(
  'claim_jobs',
  `
select * from millrace.claim_jobs($1, $2::uuid[], $3, $4, $5::uuid[], $6::uuid, $7::uuid, $8, $9,
                                  $10::uuid[], $11::uuid[], $12::integer[], $13::bigint[], $14::uuid[], $15::boolean[])
order by priority, scheduled_us, id`,
);

/** What a worker needs of a job. Times are microseconds since 1970 as text: dates cost the driver more to parse than all the rest. */
export interface ClaimedRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly definition_id: string;
  readonly source: JobSource;
  readonly source_ref: string | null;
  readonly priority: number;
  readonly payload: unknown;
  readonly dedupe_key: string | null;
  readonly correlation_id: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly requested_us: string | null;
  readonly scheduled_us: string;
  readonly queued_us: string;
  readonly claimed_us: string;
  /** False: claimed ahead, it starts later. */
  readonly is_started: boolean;
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly run_no: number;
  readonly lost_lease_count: number;
  readonly snooze_count: number;
  readonly expires_us: string | null;
  readonly timeout_seconds: number | null;
  readonly lease_expires_us: string;
  readonly cancel_requested_us: string | null;
  readonly last_error: JobError | null;
  readonly reason: string | null;
  readonly created_by: string | null;
  readonly version: string;
}

/** The last row of the answer. */
export interface ClaimEnd {
  readonly id: null;
  /** The token of every lease of this claim. */
  readonly lease_token: string;
  /** Null when no lane was visited in a first claim. */
  readonly cursor_tenant_id: string | null;
  readonly cursor_definition_id: string | null;
  readonly cursor_credit: number;
  /** A limited lane was passed over because another claim held its limit. */
  readonly is_contended: boolean;
}
