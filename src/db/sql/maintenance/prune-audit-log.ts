import { statement } from '../../statement.ts';

/**
 * Deletes up to $2 entries of the audit log that are older than $1 seconds, oldest first. Its ids begin with
 * their time. Row security keeps those of the last day whatever $1 is. Nobody changes entries, and to lock
 * them first would take the right to. Crosses tenants. Locks the rows it deletes. Index: audit_log_pkey.
 */
export const pruneAuditLog = statement(
  'prune_audit_log',
  `
with old as materialized (
  select a.id from millrace.audit_log a
  where a.id < (lpad(to_hex(floor(extract(epoch from clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint), 12, '0')
                || '00000000000000000000')::uuid
  order by a.id
  limit $2
)
delete from millrace.audit_log a where a.id = any (array(select o.id from old o))`,
);
