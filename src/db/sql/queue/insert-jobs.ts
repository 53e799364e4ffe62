import { statement } from '../../statement.ts';

/**
 * Enqueues jobs, definitions by key. A row that cannot be is left out, and `outcome` says why; the caller decides what that means
 * for the others. A definition that is not as the caller has seen it (`revision`, its row's xmin) is `stale`, so that a payload which
 * was checked by a remembered schema is never written under another one.
 * Locks: the new rows; waits for an uncommitted rival with the same dedupe key (bounded by lock_timeout).
 * Indexes: jobs_active_dedupe_idx, jobs_dedupe_idx (windows), job_definitions_key_key, tenants_pkey. Rows go in by dedupe key, so that two
 * batches never wait for each other in a circle.
 * A past time is clamped to now and kept in requested_for: whatever becomes ready never lies behind a worker's mark.
 * $21: channels that are rung within the transaction if it makes a job, which takes NOTIFY's cluster-wide lock at commit: only while
 * nobody else rings.
 * A column that no row uses is passed as null: unnest fills it up, and neither side spends time on it.
 */
export const insertJobs = statement(
  'insert_jobs',
  `
with input as materialized (
  select uuidv7() as id, t.*, d.id as definition_id, d.max_attempts as usual_attempts, recent.id as recent_id, w.now,
         greatest(t.asked_for, w.now) as starts_at,
         case when n.id is null or (n.deleted_at is not null and not $20::boolean) then 'no_tenant'
              when t.revision <> d.xmin::text then 'stale'
              when d.id is null then 'no_definition'
              when not d.is_active then 'inactive'
              when t.expires_at <= greatest(t.asked_for, w.now) then 'expired'
              when recent.id is not null then 'existing' end as refusal
  from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::text[],
              $10::integer[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::timestamptz[], $16::integer[],
              $17::integer[], $18::integer[], $19::text[])
    with ordinality as t (tenant_id, definition_key, revision, payload, created_by, priority, source, source_ref, dedupe_key,
                          window_seconds, correlation_id, subject_type, subject_id, asked_for, expires_at, timeout_seconds,
                          max_attempts, pending_dependencies, doomed_reason, position)
  cross join lateral (select clock_timestamp() as now) w
  left join millrace.job_definitions d on d.key = t.definition_key
  left join millrace.tenants n on n.id = t.tenant_id
  left join lateral (
    -- The newest job with the key, whatever became of it. Ids grow with time, and a retry keeps both id and queued_at.
    select j.id from (
      select j.id, j.queued_at from millrace.jobs j
      where t.window_seconds is not null and j.tenant_id = t.tenant_id and j.dedupe_key = t.dedupe_key
      order by j.id desc limit 1
    ) j
    where j.queued_at > w.now - t.window_seconds * interval '1 second'
  ) recent on true
  order by t.dedupe_key nulls first, t.position
), inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, source, source_ref, priority, payload, dedupe_key, correlation_id, subject_type, subject_id,
     requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, created_by, pending_dependencies,
     cancel_requested_at, reason)
  select i.id, i.tenant_id, i.definition_id, coalesce(i.source, 'manual'), i.source_ref, coalesce(i.priority, 100), i.payload,
         i.dedupe_key, i.correlation_id, i.subject_type, i.subject_id, case when i.asked_for < i.now then i.asked_for end,
         i.starts_at, i.now, i.expires_at, i.timeout_seconds, coalesce(i.max_attempts, i.usual_attempts), i.created_by,
         coalesce(i.pending_dependencies, 0), case when i.doomed_reason is not null then i.now end, i.doomed_reason
  from input i
  where i.refusal is null
  on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
  returning id
), rung as (
  select pg_notify(c.channel, '') from unnest($21::text[]) as c (channel) where exists (select from inserted)
)
select i.position::integer as position, coalesce(i.recent_id, i.id) as id,
       coalesce(i.refusal, case when n.id is null then 'rival' else 'created' end) as outcome, (select count(*) from rung) > 0 as is_rung
from input i left join inserted n on n.id = i.id`,
);

export interface InsertJobsRow {
  /** From 1, as given. */
  readonly position: number;
  /** The new job's, or with `existing` the one that was enqueued within the window. */
  readonly id: string;
  /** `rival`: an active job has the dedupe key. */
  readonly outcome:
    | 'created'
    | 'existing'
    | 'rival'
    | 'stale'
    | 'no_tenant'
    | 'no_definition'
    | 'inactive'
    | 'expired';
  readonly is_rung: boolean;
}
