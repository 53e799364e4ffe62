import type { Replay } from '../core/producer-queue.ts';
import type { Database } from '../db/database.ts';
import { recordOutcome } from '../db/outcome-record.ts';
import { recordAction } from '../db/record-action.ts';
import { insertAll } from './enqueue.ts';
import type { NewJob, Outcome } from './new-jobs.ts';

/**
 * Writes a job that replays another, and the entry in the audit log, in one transaction. @throws DomainError
 * `DedupeBusy`
 */
export function insertReplay(
  db: Database,
  job: NewJob,
  { jobId, by, isPayloadEdited }: Replay,
): Promise<Outcome> {
  const { tenantId } = job;
  return db.transaction({ role: 'api', tenantId }, async (tx) => {
    const [outcome] = await insertAll(tx, tenantId, [{ ...job, replayOf: jobId }], false);
    if (outcome?.kind === 'created') {
      const details = { newJobId: outcome.id, isPayloadEdited };
      await recordAction(tx, {
        tenantId,
        actor: by,
        action: 'job.replay',
        targetType: 'job',
        targetId: jobId,
        details,
      });
      await recordOutcome(tx, { id: outcome.id, kind: outcome.kind });
    }
    return outcome as Outcome;
  });
}
