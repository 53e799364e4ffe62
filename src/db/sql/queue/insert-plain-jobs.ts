import { statement } from '../../statement.ts';

/**
 * Enqueues jobs that have no dedupe key: what `insert_jobs` does for all, at two thirds of its price. No rival can keep such a job
 * out, so it needs no ON CONFLICT (a second WAL record and a lock for each row), no order, and no look at what was written.
 * Of $1 (tenants), $2 (definition keys), $3 (revisions) and $5 (who asks) one value stands for every row.
 * Locks: the new rows. Indexes: job_definitions_key_key, tenants_pkey.
 * $17: channels that are rung within the transaction if it makes a job, see `insert_jobs`.
 */
export const insertPlainJobs = statement(
  'insert_plain_jobs',
  `
with v as materialized (
  select uuidv7()::text as id, clock_timestamp() as now
), definition as materialized (
  select d.id, d.key, d.xmin::text as revision, d.is_active, d.max_attempts from millrace.job_definitions d where d.key = any ($2::text[])
), tenant as materialized (
  select n.id, n.deleted_at from millrace.tenants n where n.id = any ($1::uuid[])
), given as (
  select coalesce(t.tenant_id, ($1::uuid[])[1]) as tenant_id, coalesce(t.definition_key, ($2::text[])[1]) as definition_key,
         case when cardinality($3::text[]) = 1 then ($3::text[])[1] else t.revision end as revision,
         case when cardinality($5::text[]) = 1 then ($5::text[])[1] else t.created_by end as created_by,
         t.payload, t.priority, t.source, t.source_ref, t.correlation_id, t.subject_type, t.subject_id, t.asked_for, t.expires_at,
         t.timeout_seconds, t.max_attempts, t.pending_dependencies, t.doomed_reason, t.position
  from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::integer[], $15::integer[], $18::integer[],
              $19::text[])
    with ordinality as t (tenant_id, definition_key, revision, payload, created_by, priority, source, source_ref, correlation_id,
                          subject_type, subject_id, asked_for, expires_at, timeout_seconds, max_attempts, pending_dependencies,
                          doomed_reason, position)
), input as materialized (
  -- One uuidv7 a statement, its last 20 bits a counter: the random bits of each would be a seventh of the whole [measured]. At most
  -- 1,048,575 rows, in the order given.
  select overlay(v.id placing right(to_hex(1048576 + g.position), 5) from 32)::uuid as id, g.*, d.id as definition_id, d.max_attempts as usual_attempts, v.now, greatest(g.asked_for, v.now) as starts_at,
         case when n.id is null or (n.deleted_at is not null and not $16::boolean) then 'no_tenant'
              when g.revision <> d.revision then 'stale'
              when d.id is null then 'no_definition'
              when not d.is_active then 'inactive'
              when g.expires_at <= greatest(g.asked_for, v.now) then 'expired' end as refusal
  from given g
  cross join v
  left join definition d on d.key = g.definition_key
  left join tenant n on n.id = g.tenant_id
), inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, source, source_ref, priority, payload, correlation_id, subject_type, subject_id,
     requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, created_by, pending_dependencies,
     cancel_requested_at, reason)
  select i.id, i.tenant_id, i.definition_id, coalesce(i.source, 'manual'), i.source_ref, coalesce(i.priority, 100), i.payload,
         i.correlation_id, i.subject_type, i.subject_id, case when i.asked_for < i.now then i.asked_for end,
         i.starts_at, i.now, i.expires_at, i.timeout_seconds, coalesce(i.max_attempts, i.usual_attempts), i.created_by,
         coalesce(i.pending_dependencies, 0), case when i.doomed_reason is not null then i.now end, i.doomed_reason
  from input i
  where i.refusal is null
), rung as (
  select pg_notify(c.channel, '') from unnest($17::text[]) as c (channel)
  where exists (select from input i where i.refusal is null)
)
select string_agg(i.id::text, ',' order by i.position) as ids,
       case when count(i.refusal) > 0 then string_agg(coalesce(i.refusal, 'created'), ',' order by i.position) end as outcomes,
       (select count(*) from rung) > 0 as is_rung
from input i`,
);

export interface InsertPlainJobsRow {
  /** Of all rows in order, with commas between them; of one that was refused it is of no job. */
  readonly ids: string;
  /** Null when all were created; else `created` or what `insert_jobs` says of a row that was left out, likewise. */
  readonly outcomes: string | null;
  readonly is_rung: boolean;
}
