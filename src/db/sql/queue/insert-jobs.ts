import { WORK_CHANNEL } from '../../channels.ts';
import { enqueuedNames, UNNESTED_NAMES, unnestedColumns, valuesOfRow } from '../../enqueued-sql.ts';
import { statement } from '../../statement.ts';

/**
 * Enqueues jobs, definitions by key. A row that cannot be is left out, and `outcome` says why; the caller
 * decides what that means for the others. A definition that is not as the caller has seen it (`revision`, its
 * row's xmin) is `stale`, so that a payload which was checked by a remembered schema is never written under
 * another one.
 * Locks: the new rows; waits for an uncommitted rival with the same dedupe key (bounded by lock_timeout).
 * Indexes: jobs_active_dedupe_idx, jobs_dedupe_idx (windows), job_definitions_key_key, tenants_pkey. Rows go
 * in by dedupe key, so that two batches never wait for each other in a circle.
 * A past time is clamped to now and kept in requested_for: whatever becomes ready never lies behind a
 * worker's mark.
 * $6 parents that have not ended, $7 why it is canceled at once, $8 also for tenants that are being
 * deleted, $10 dedupe keys, $11 their windows, from $12 on an array for each of `ENQUEUED_COLUMNS`.
 * $9: channels that are notified within the transaction if it makes a job, which takes NOTIFY's cluster-wide
 * lock at commit: only while nobody else notifies, and not while the queue of notifications is half full: a
 * full one would fail the commit. A column that no row uses is passed as null: unnest fills it up, and
 * neither side spends time on it. The pieces that it is made of are those of `insert_plain_jobs` too,
 * parameters included.
 */

const FIRST_ENQUEUED = 12;

/** Added to a row's position, so that it has six hex digits. */
export const FIRST_ID = 0x10_00_00;

/** The id of the row at a position, from 1, of a statement whose ids begin so. */
export function newJobId(prefix: string, position: number): string {
  return prefix + (FIRST_ID + position).toString(16);
}

/**
 * $1 (tenants), $2 (definition keys), $3 (revisions) and $4 (the caller): a single value stands for every
 * row. One uuidv7 a statement, its last 24 bits a counter: the random bits of each would be a seventh of the
 * whole [measured]. At most fifteen million rows, ids in the order given.
 */
export const SHARED = `
shared as materialized (
  select left(uuidv7()::text, 30) as id_prefix, clock_timestamp() as now,
         ($1::uuid[])[1] as tenant_id, ($2::text[])[1] as definition_key,
         case when cardinality($3::text[]) = 1 then ($3::text[])[1] end as revision,
         case when cardinality($4::text[]) = 1 then ($4::text[])[1] end as created_by
), definition as materialized (
  select d.id, d.key, d.xmin::text as revision, d.is_active, d.max_attempts
  from millrace.job_definitions d where d.key = any ($2::text[])
), tenant as materialized (
  select n.id, n.deleted_at from millrace.tenants n where n.id = any ($1::uuid[])
)`;

/** A row as it goes in. */
export const ROW = `
  t.position, (s.id_prefix || to_hex(${FIRST_ID} + t.position))::uuid as id, s.now, n.id as tenant_id, d.id as definition_id, t.payload,
  t.dedupe_key, coalesce(t.created_by, s.created_by) as created_by, coalesce(t.pending_dependencies, 0) as pending_dependencies, t.doomed_reason,
  ${valuesOfRow('t', { clock: 's', definition: 'd' }, true)}`;

/** Why a row cannot go in, as the first branches of a CASE. */
export const REFUSALS = `
              when n.id is null or (n.deleted_at is not null and not $8::boolean) then 'no_tenant'
              when coalesce(t.revision, s.revision) <> d.revision then 'stale'
              when d.id is null then 'no_definition'
              when not d.is_active then 'inactive'
              when t.expires_at <= greatest(t.scheduled_for, s.now) then 'expired'`;

/**
 * The payloads are one list: Postgres reads it in two thirds of the time that an array of as many jsonb
 * values takes.
 */
export const ROWS = `
  from shared s
  cross join rows from (
    unnest($1::uuid[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), jsonb_array_elements($5::jsonb),
    unnest($6::integer[]), unnest($7::text[]), unnest($10::text[]), unnest($11::integer[]), ${unnestedColumns(FIRST_ENQUEUED)}
  ) with ordinality as t (tenant_id, definition_key, revision, created_by, payload, pending_dependencies, doomed_reason, dedupe_key,
                          window_seconds, ${UNNESTED_NAMES}, position)
  left join definition d on d.key = coalesce(t.definition_key, s.definition_key)
  left join tenant n on n.id = coalesce(t.tenant_id, s.tenant_id)`;

export const INSERT = `
  insert into millrace.jobs
    (id, tenant_id, definition_id, payload, dedupe_key, queued_at, created_by, pending_dependencies, cancel_requested_at, reason,
     ${enqueuedNames()})
  select i.id, i.tenant_id, i.definition_id, i.payload, i.dedupe_key, i.now, i.created_by, i.pending_dependencies,
         case when i.doomed_reason is not null then i.now end, i.doomed_reason, ${enqueuedNames('i.')}
  from input i
  where i.refusal is null`;

/** After the INSERT: `inserted`. */
export const IS_NOTIFIED = notifiedColumn('$9');

/**
 * Whether the channels of a parameter were notified, which they are when there is a row. After the INSERT:
 * `inserted`.
 */
export function notifiedColumn(channels: string): string {
  return `
  (select count(pg_notify(c.channel, case when c.channel = '${WORK_CHANNEL}'
     then pg_current_xact_id()::text || '/' || (select count(*) from inserted) else '' end))
   from unnest(${channels}::text[]) as c (channel)
   where exists (select from inserted) and millrace.can_notify()) > 0 as is_notified`;
}

export const insertJobs = statement(
  'insert_jobs',
  `
with ${SHARED}, input as materialized (
  select ${ROW}, recent.id as recent_id, case ${REFUSALS}
              when recent.id is not null then 'existing' end as refusal ${ROWS}
  left join lateral (
    -- The newest job with the key, whatever became of it. Ids grow with time, and a retry keeps both id and
    -- queued_at.
    select j.id from (
      select j.id, j.queued_at from millrace.jobs j
      where t.window_seconds is not null and j.tenant_id = n.id and j.dedupe_key = t.dedupe_key
      order by j.id desc limit 1
    ) j
    where j.queued_at > s.now - t.window_seconds * interval '1 second'
  ) recent on true
  order by t.dedupe_key nulls first, t.position
), inserted as (${INSERT}
  on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
  returning id
)
select i.position::integer as position, coalesce(i.recent_id, i.id) as id,
       coalesce(i.refusal, case when n.id is null then 'rival' else 'created' end) as outcome, ${IS_NOTIFIED}
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
  readonly is_notified: boolean;
}
