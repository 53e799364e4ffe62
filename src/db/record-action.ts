import type { AuditRecord } from '../core/audit.ts';
import { cleanJson, cleanText } from '../core/clean-text.ts';
import type { Transaction } from './database.ts';
import { insertAuditEntry } from './sql/audit/insert-audit-entry.ts';

const MAX_NAME_LENGTH = 300;

/**
 * Writes to the audit log inside the transaction of the action: the one is there exactly when the other is.
 * Actor and target are cut at 300 characters.
 */
export async function recordAction(tx: Transaction, record: AuditRecord): Promise<void> {
  await tx.query(insertAuditEntry, [
    record.tenantId,
    cleanText(record.actor.slice(0, MAX_NAME_LENGTH)),
    record.action,
    record.targetType,
    record.targetId === null ? null : cleanText(record.targetId.slice(0, MAX_NAME_LENGTH)),
    cleanJson(record.details),
  ]);
}
