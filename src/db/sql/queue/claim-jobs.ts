import type { JobError, JobSource } from '../../../core/job.ts';
import { statement } from '../../statement.ts';

/** The connection of all statements that claim. */
export const CLAIMING = 'claiming';

/**
 * Claims for worker $1 among definitions $2: up to $3 jobs of any lane and up to $4 more of definitions $5
 * where nothing limits them, from lane ($6, $7) on, which has $8 jobs of its turn left; at most $9 lanes a
 * stretch. $10 to $15: what is known to be gone at the head of busy lanes (see LaneMarks). $16: the last
 * claim found one lane at most. The rows are in no order; the one without a job says where the next claim
 * goes on. Crosses tenants. Locks the candidate rows FOR NO KEY UPDATE SKIP LOCKED, limit_gates of limited
 * lanes likewise; waits for nobody. Indexes: jobs_ready_idx, jobs_running_idx for limits. See the claim's
 * migrations, of which steady_plans is the newest.
 */
export const claimJobs = statement(
  'claim_jobs',
  `
select c.id, c.tenant_id, c.definition_id, c.payload, c.priority, c.scheduled_us, c.queued_us, c.is_started, c.run_no, c.max_attempts,
       c.version, c.created_by, c.rare
from millrace.claim_jobs($1, $2::uuid[], $3, $4, $5::uuid[], $6::uuid, $7::uuid, $8, $9,
                                  $10::uuid[], $11::uuid[], $12::integer[], $13::bigint[], $14::uuid[], $15::boolean[], $16) c`,
  { dedicatedTo: CLAIMING, asArrays: true },
);

/**
 * What a worker needs of a job. Times are microseconds since 1970 as text: dates cost the driver more to
 * parse than all the rest.
 */
export type ClaimedRow = readonly [
  id: string,
  tenantId: string,
  definitionId: string,
  payload: unknown,
  priority: number,
  scheduledUs: string,
  queuedUs: string,
  /** False: claimed ahead, it starts later. */
  isStarted: boolean,
  runNo: number,
  maxAttempts: number,
  version: string,
  createdBy: string | null,
  /** Null when the job has none of it. */
  rare: RareColumns | null,
];

/** Where a column is in a row of the claim. */
export const AT = {
  id: 0,
  tenantId: 1,
  definitionId: 2,
  payload: 3,
  priority: 4,
  scheduledUs: 5,
  queuedUs: 6,
  isStarted: 7,
  runNo: 8,
  maxAttempts: 9,
  version: 10,
  createdBy: 11,
  rare: 12,
} as const;

/** What most jobs have not; a key is absent where the column is null. */
export interface RareColumns {
  readonly source: JobSource;
  readonly sourceRef?: string;
  readonly dedupeKey?: string;
  readonly correlationId?: string;
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly requestedUs?: number;
  readonly attemptCount: number;
  readonly lostLeaseCount: number;
  readonly snoozeCount: number;
  readonly expiresUs?: number;
  readonly timeoutSeconds?: number;
  readonly cancelRequestedUs?: number;
  readonly lastError: JobError | null;
  readonly reason?: string;
}

/** The row without a job: all else is null. */
export type ClaimEndRow = readonly [
  id: null,
  tenantId: null,
  definitionId: null,
  payload: ClaimEnd,
  ...null[],
];

/** What is the same for all jobs of a claim, and where the next goes on. */
export interface ClaimEnd {
  /** The token of every lease of this claim. */
  readonly token: string;
  readonly claimedUs: number;
  /** Null when no lane was visited in a first claim. */
  readonly tenantId: string | null;
  readonly definitionId: string | null;
  readonly credit: number;
  /** One lane at most is all that there was, and nothing limits it. */
  readonly isAlone: boolean;
  /** A limited lane was passed over because another claim held its limit. */
  readonly isContended: boolean;
}
