import type { Database } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';
import { insertAll } from './enqueue.ts';
import type { NewJob, Outcome } from './new-jobs.ts';

/** What a new job replays, for its row and the audit log. */
export interface Replay {
  /** The ended job. */
  readonly jobId: string;
  /** Who asks for it, as in `jobs.created_by`. */
  readonly by: string;
  /** Whether the new job has a payload of its own. */
  readonly isPayloadEdited: boolean;
}

/** Writes a job that replays another, and the entry in the audit log, in one transaction. @throws DomainError `DedupeBusy` */
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
    }
    return outcome as Outcome;
  });
}
