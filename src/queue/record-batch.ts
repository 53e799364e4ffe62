import type { AuditAction } from '../core/audit.ts';
import type { Transaction } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';
import type { Batch, ManyJobs } from './many-jobs.ts';

/** Up to N jobs are named in the audit log; of more only how they were chosen, and the counts. */
const MAX_NAMED_JOBS = 20;

/** Records what a batch did with the actor, in the batch's transaction; nothing when it changed nothing. */
export async function recordBatch(
  tx: Transaction,
  { tenantId, by, filter }: ManyJobs,
  action: AuditAction,
  { counts, touched }: Batch,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (touched.length === 0) return;
  const details = {
    filter,
    ...more,
    ...counts,
    ...(touched.length <= MAX_NAMED_JOBS && { jobIds: touched.map((row) => row.id) }),
  };
  await recordAction(tx, { tenantId, actor: by, action, targetType: 'jobs', targetId: null, details });
}
