import { statement } from '../../../db/statement.ts';

/**
 * Marks a tenant that the transaction holds as deleted: none of its jobs is claimed any more, nobody acts on
 * it, and its triggers rest. Its running jobs are asked to stop. Crosses tenants. Locks those jobs. Indexes:
 * tenants_pkey, triggers_tenant_idx, jobs_running_idx.
 */
export const markTenantDeleted = statement(
  'mark_tenant_deleted',
  `
with marked as (
  update millrace.tenants set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
  where id = $1 and deleted_at is null returning id
), resting as (
  update millrace.triggers t set is_enabled = false, next_at = null, due_at = null from marked m where t.tenant_id = m.id
), asked as (
  update millrace.jobs j
  set cancel_requested_at = coalesce(j.cancel_requested_at, clock_timestamp()), reason = coalesce(j.reason, 'tenant_deleted'),
      version = j.version + 1, changed_xid = pg_current_xact_id()
  from marked m
  where j.tenant_id = m.id and j.status = 'running' and j.definition_id in (select d.id from millrace.job_definitions d)
)
select id from marked`,
);
