import { statement } from '../../statement.ts';

/**
 * Keeps what somebody did, in the transaction that does it. Locks the new row. Row security checks the
 * tenant.
 */
export const insertAuditEntry = statement(
  'insert_audit_entry',
  `
insert into millrace.audit_log (tenant_id, actor, action, target_type, target_id, details)
values ($1, $2, $3, $4, $5, $6::jsonb)`,
);
