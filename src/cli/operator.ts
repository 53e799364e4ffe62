import { userInfo } from 'node:os';
import type { AuditAction, AuditTarget } from '../core/audit.ts';
import type { Transaction } from '../db/database.ts';
import { recordAction } from '../db/record-action.ts';

/** Who works at the command line, for `audit_log`: `cli:<login>`; `cli` where the system knows no name. */
export function operatorName(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli';
  }
}

/** Records what a command did, in its transaction. */
export async function recordCommand(
  tx: Transaction,
  tenantId: string,
  action: AuditAction,
  targetId: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const targetType = action.split('.')[0] as AuditTarget;
  await recordAction(tx, { tenantId, actor: operatorName(), action, targetType, targetId, details });
}
