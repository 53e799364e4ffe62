import type { Actor } from '../core/actor.ts';
import type { AuditAction, AuditTarget } from '../core/audit.ts';
import { DomainError } from '../core/errors.ts';
import type { Database, Scope, Transaction } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';
import { sqlState } from '../db/retryable.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';
import type { JobsDeps } from '../jobs/deps.ts';

export type OperationDeps = Pick<JobsDeps, 'db' | 'queue'>;

const WAIT_MS = 2_000;

/**
 * Runs `work` in a transaction that may change definitions and tenants; only use-cases that have checked the
 * role come here. The API's own role may write neither. It waits for what others hold up to 2 s.
 * @param what to be changed, in words
 * @param scope as whom, where the API's own role will do
 * @throws DomainError `Busy` when it waited in vain; nothing is done then
 */
export async function operate<T>(
  db: Database,
  what: string,
  work: (tx: Transaction) => Promise<T>,
  scope: Scope = { role: 'worker' },
): Promise<T> {
  try {
    return await db.transaction(scope, async (tx) => {
      await tx.query(setLockTimeout, [`${WAIT_MS}ms`]);
      return await work(tx);
    });
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new DomainError('Busy', `Another transaction holds ${what}; try again.`, {}, error);
  }
}

/** Records what the actor did to a definition, a tenant or a limit. */
export async function recordChange(
  tx: Transaction,
  actor: Actor,
  action: AuditAction,
  target: { readonly tenantId: string; readonly type: AuditTarget; readonly id: string },
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAction(tx, {
    tenantId: target.tenantId,
    actor: actor.name,
    action,
    targetType: target.type,
    targetId: target.id,
    details,
  });
}
