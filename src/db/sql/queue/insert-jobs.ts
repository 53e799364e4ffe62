import { statement } from '../../statement.ts';

/**
 * Enqueues jobs of one tenant, definitions by key; a row whose dedupe key is already active is left out and reported as not created,
 * and so is one whose definition is unknown or not active (the caller then rolls back).
 * Locks: the new rows; waits for an uncommitted rival with the same dedupe key (bounded by lock_timeout).
 * Indexes: jobs_active_dedupe_idx, job_definitions_key_key. Rows go in by dedupe key, so that two batches never wait for each other in a circle.
 * A past time is clamped to now and kept in requested_for: whatever becomes ready never lies behind a worker's mark.
 */
export const insertJobs = statement(
  'insert_jobs',
  `
with input as materialized (
  select uuidv7() as id, t.*, d.id as definition_id, d.is_active, d.max_attempts as usual_attempts, clock_timestamp() as now
  from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::jsonb[], $7::text[], $8::text[], $9::text[], $10::text[],
              $11::timestamptz[], $12::integer[], $13::text[])
    with ordinality as t (definition_key, source, source_ref, priority, payload, dedupe_key, correlation_id, subject_type,
                          subject_id, asked_for, max_attempts, created_by, position)
  left join millrace.job_definitions d on d.key = t.definition_key
  order by t.dedupe_key nulls first, t.position
), inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, source, source_ref, priority, payload, dedupe_key, correlation_id, subject_type, subject_id,
     requested_for, scheduled_for, queued_at, max_attempts, created_by)
  select i.id, $1::uuid, i.definition_id, i.source, i.source_ref, i.priority, i.payload, i.dedupe_key, i.correlation_id,
         i.subject_type, i.subject_id, case when i.asked_for < i.now then i.asked_for end,
         greatest(coalesce(i.asked_for, i.now), i.now), i.now, coalesce(i.max_attempts, i.usual_attempts), i.created_by
  from input i
  where i.is_active
  on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
  returning id
)
select i.position::integer as position, i.id, n.id is not null as created, i.is_active
from input i left join inserted n on n.id = i.id
order by i.position`,
);

export interface InsertJobsRow {
  /** From 1, as given. */
  readonly position: number;
  readonly id: string;
  readonly created: boolean;
  /** Null where there is no such definition. */
  readonly is_active: boolean | null;
}
