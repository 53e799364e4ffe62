import { statement } from '../../statement.ts';
import { FIRST_ID, type InsertJobsRow, notifiedColumn } from './insert-jobs.ts';

/**
 * Enqueues jobs of one tenant and one definition, put in by one caller, that have neither dedupe key nor parents: what
 * `insert_plain_jobs` does for them, without a look for tenant and definition at each row, which is a twelfth of it. `refusal`: none could
 * go in, for what it says; `expired`: the places of those that could not.
 * $1 tenant, $2 definition's key, $3 its revision (null: whatever it is), $4 who asks, $5 payloads as one list, $6 to $15 columns, null
 * where no row uses it, $16 also for a tenant that is being deleted, $17 channels that are notified within the transaction, as in `insert_jobs`,
 * $18 tags (each the text of an array), $19 metadata, $20 what they replay.
 * Locks: the new rows. Indexes: job_definitions_key_key, tenants_pkey.
 */
export const insertUniformBatch = statement(
  'insert_uniform_batch',
  `
with shared as materialized (
  select left(uuidv7()::text, 30) as id_prefix, s.now, n.id as tenant_id, d.id as definition_id, d.max_attempts,
         case when n.id is null or (n.deleted_at is not null and not $16::boolean) then 'no_tenant'
              when $3::text <> d.xmin::text then 'stale'
              when d.id is null then 'no_definition'
              when not d.is_active then 'inactive' end as refusal
  from (select clock_timestamp() as now) s
  left join millrace.tenants n on n.id = $1::uuid
  left join millrace.job_definitions d on d.key = $2
), inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, created_by, payload, priority, source, source_ref, correlation_id, subject_type, subject_id,
     requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, tags, metadata, replay_of)
  select (s.id_prefix || to_hex(${FIRST_ID} + t.position))::uuid, s.tenant_id, s.definition_id, $4, t.payload,
         coalesce(t.priority, 100), coalesce(t.source, 'manual'), t.source_ref, t.correlation_id, t.subject_type, t.subject_id,
         case when t.asked_for < s.now then t.asked_for end, greatest(t.asked_for, s.now), s.now, t.expires_at, t.timeout_seconds,
         coalesce(t.max_attempts, s.max_attempts), t.tags::text[], t.metadata::jsonb, t.replay_of
  from shared s
  cross join rows from (
    jsonb_array_elements($5::jsonb), unnest($6::integer[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]),
    unnest($10::text[]), unnest($11::text[]), unnest($12::timestamptz[]), unnest($13::timestamptz[]), unnest($14::integer[]),
    unnest($15::integer[]), unnest($18::text[]), unnest($19::text[]), unnest($20::uuid[])
  ) with ordinality as t (payload, priority, source, source_ref, correlation_id, subject_type, subject_id, asked_for, expires_at,
                          timeout_seconds, max_attempts, tags, metadata, replay_of, position)
  where s.refusal is null and (t.expires_at is null or t.expires_at > greatest(t.asked_for, s.now))
  returning 1
)
select s.id_prefix, s.refusal,
       (select array_agg(t.position::integer)
        from unnest($12::timestamptz[], $13::timestamptz[]) with ordinality as t (asked_for, expires_at, position)
        where t.expires_at <= greatest(t.asked_for, s.now)) as expired,
       ${notifiedColumn('$17')}
from shared s`,
);

export interface InsertUniformBatchRow {
  /** For `newJobId`. */
  readonly id_prefix: string;
  /** Of all; null when it is not for their tenant or definition that a job is left out. */
  readonly refusal: InsertJobsRow['outcome'] | null;
  /** Positions from 1; null when there is none. */
  readonly expired: readonly number[] | null;
  readonly is_notified: boolean;
}
