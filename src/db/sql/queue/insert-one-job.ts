import { WORK_CHANNEL } from '../../channels.ts';
import { statement } from '../../statement.ts';

/**
 * Enqueues one job that has neither dedupe key nor parents: what `insert_plain_jobs` does for it, at two thirds of its price, since
 * it puts no rows together from arrays. No row: it cannot go in, and `insert_uniform_batch` says why.
 * $1 tenant, $2 definition's key, $3 its revision (its row's xmin; null: whatever it is), $16 also for a tenant that is being deleted,
 * $17 channels that are notified within the transaction, as in `insert_jobs`, $18 tags, $19 metadata, $20 what it replays.
 * Locks: the new row. Indexes: job_definitions_key_key, tenants_pkey.
 */
export const insertOneJob = statement(
  'insert_one_job',
  `
with inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, created_by, payload, priority, source, source_ref, correlation_id, subject_type, subject_id,
     requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, tags, metadata, replay_of)
  select uuidv7(), n.id, d.id, $4, $5, coalesce($6, 100), coalesce($7, 'manual'), $8, $9, $10, $11,
         case when $12 < s.now then $12 end, greatest($12, s.now), s.now, $13, $14, coalesce($15, d.max_attempts), $18::text[], $19::jsonb,
         $20::uuid
  from (select clock_timestamp() as now) s, millrace.tenants n, millrace.job_definitions d
  where n.id = $1::uuid and (n.deleted_at is null or $16::boolean)
    and d.key = $2 and d.is_active and ($3::text is null or d.xmin::text = $3)
    and ($13::timestamptz is null or $13 > greatest($12::timestamptz, s.now))
  returning id
)
select i.id, (select count(pg_notify(c.channel, case when c.channel = '${WORK_CHANNEL}' then pg_current_xact_id()::text else '' end)) from unnest($17::text[]) as c (channel) where millrace.can_notify()) > 0 as is_notified
from inserted i`,
  { dedicatedTo: 'inserting' },
);

export interface InsertOneJobRow {
  readonly id: string;
  readonly is_notified: boolean;
}
