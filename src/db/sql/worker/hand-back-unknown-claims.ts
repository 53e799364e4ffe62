import { statement } from '../../statement.ts';

/**
 * Puts back what worker $1 has claimed without knowing: the claim was committed, but its answer went down
 * with the connection. Everything running under its id but the runs it knows ($2: ids, $3: run numbers),
 * unspent, as a hand-back that used no time.
 * To be run only while no claim of this worker is under way. Crosses tenants. Locks the rows, in id order.
 * Index: jobs_running_idx, all of it: what is running, which is little.
 */
export const handBackUnknownClaims = statement(
  'hand_back_unknown_claims',
  `
with unknown as materialized (
  select j.id from millrace.jobs j
  where j.status = 'running' and j.claimed_by_worker = $1
    and not exists (select from unnest($2::uuid[], $3::integer[]) as k (id, run_no) where k.id = j.id and k.run_no = j.run_no)
  order by j.id
  for no key update of j
), moved as (
  update millrace.jobs j
  set status = 'queued', scheduled_for = greatest(j.scheduled_for, clock_timestamp()), lease_token = null, lease_expires_at = null,
      version = j.version + 1, changed_xid = pg_current_xact_id()
  from unknown u
  where j.id = u.id
  returning j.id, j.tenant_id, j.definition_id, j.run_no
), used as (
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, created_at)
  select tenant_id, definition_id, id, run_no, 'handed_back', 0, clock_timestamp() from moved
)
select id from moved`,
);
