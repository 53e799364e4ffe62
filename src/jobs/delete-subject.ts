import type { Actor } from '../core/actor.ts';
import type { AuditAction, AuditRecord } from '../core/audit.ts';
import type { Transaction } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';
import { sqlState } from '../db/retryable.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';
import type { Statement } from '../db/statement.ts';
import { busy } from './busy.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';

const WAIT_MS = 2_000;
/** A run that was asked to stop does so within seconds; until then it may hold the rows. */
const MAX_TRIES = 5;

/** What may be deleted by itself: the audit log has an action for it. */
type DeletedKind = Extract<
  AuditRecord['targetType'],
  AuditAction extends infer A ? (A extends `${infer K}.delete` ? K : never) : never
>;

/** A thing that jobs are about. */
export interface SubjectToDelete {
  readonly kind: DeletedKind;
  readonly id: string;
  /** Finds the ids of its active jobs. */
  readonly activeJobs: { readonly statement: Statement; readonly values: readonly unknown[] };
  /**
   * It may be deleted in one version alone: its jobs are canceled afterwards only, since their end gives it
   * another.
   */
  readonly isVersioned?: boolean;
  /**
   * Deletes the rows. May run more than once. @returns what the audit log keeps of it; null when it is not
   * there
   */
  remove(tx: Transaction): Promise<AuditRecord['details'] | null>;
}

/**
 * Cancels the jobs about a thing and deletes its rows, which records that its files are to be removed. Jobs
 * are canceled before, since a run could hold the rows for minutes, and after, since a stage that ended
 * meanwhile may have put the next one into the queue.
 * @throws DomainError `NotFound` `Busy` (a run holds the rows; its job was asked to stop)
 */
export async function deleteSubject(
  deps: Pick<JobsDeps, 'db' | 'queue'>,
  actor: Actor,
  subject: SubjectToDelete,
): Promise<void> {
  const { tenantId, name } = actor;
  const { kind, id } = subject;
  if (subject.isVersioned !== true) await cancelJobs(deps, actor, subject);
  for (let tries = 1; ; tries++) {
    try {
      await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
        await tx.query(setLockTimeout, [`${WAIT_MS}ms`]);
        const details = await subject.remove(tx);
        if (details === null) throw notFound(kind, id);
        await recordAction(tx, {
          tenantId,
          actor: name,
          action: `${kind}.delete`,
          targetType: kind,
          targetId: id,
          details,
        });
      });
      break;
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      if (tries === MAX_TRIES) throw busy(`${kind} ${id}`);
    }
  }
  deps.queue.notifyChanged();
  await cancelJobs(deps, actor, subject);
}

async function cancelJobs(
  { db, queue }: Pick<JobsDeps, 'db' | 'queue'>,
  { tenantId, name: by }: Actor,
  { kind, id, activeJobs }: SubjectToDelete,
): Promise<void> {
  const { statement, values } = activeJobs;
  const { rows } = await db.asWorker<{ id: string }>(statement, values);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await queue.cancelMany(
    { tenantId, ids, statuses: null, by, filter: { [kind]: id } },
    `the ${kind} was deleted`,
  );
}
