import type { JobStatus } from '../core/job.ts';
import type { Bell } from '../db/bell.ts';
import type { Database, Transaction } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { type UpdatedJobRow, updateQueuedJob } from '../db/sql/queue/update-queued-job.ts';
import { holdingJobs, OPERATOR_WAIT_MS } from './hold-jobs.ts';
import { ringReady } from './rings.ts';

/** What to change of a queued job; null leaves it. */
export interface JobUpdate {
  readonly tenantId: string;
  readonly jobId: string;
  /** The actor's name. */
  readonly by: string;
  readonly priority: number | null;
  readonly scheduledFor: Date | null;
}

export type UpdateResult =
  | { readonly kind: 'updated' }
  | { readonly kind: 'wrongState'; readonly status: JobStatus }
  | { readonly kind: 'busy' }
  | { readonly kind: 'notFound' };

/** Another priority or time for a job that is still queued; recorded with the actor. */
export async function updateQueued(db: Database, bell: Bell, update: JobUpdate): Promise<UpdateResult> {
  const { tenantId, jobId } = update;
  const holding = { tenantId, ids: [jobId], waitMs: OPERATOR_WAIT_MS };
  const result = await holdingJobs<UpdateResult>(db, holding, async (tx, [row]) => {
    if (row === undefined) return { kind: 'notFound' };
    if (row.status !== 'queued') return { kind: 'wrongState', status: row.status };
    await change(tx, row, update);
    return { kind: 'updated' };
  });
  if (result === 'busy') return { kind: 'busy' };
  if (result.kind === 'updated') ringReady(bell);
  return result;
}

async function change(tx: Transaction, row: LockedJobRow, update: JobUpdate): Promise<void> {
  const { tenantId, jobId, by, scheduledFor } = update;
  const priority = update.priority === row.priority ? null : update.priority;
  if (priority === null && scheduledFor === null) return;
  const { rows } = await tx.query<UpdatedJobRow>(updateQueuedJob, [tenantId, jobId, priority, scheduledFor]);
  const now = rows[0] as UpdatedJobRow;
  await recordAction(tx, {
    tenantId,
    actor: by,
    action: 'job.update',
    targetType: 'job',
    targetId: jobId,
    details: {
      old: { priority: row.priority, scheduledFor: row.scheduled_for },
      new: { priority: now.priority, scheduledFor: now.scheduled_for },
    },
  });
}
