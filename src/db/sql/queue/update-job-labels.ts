import { statement } from '../../statement.ts';

/**
 * Other tags ($3) or metadata ($4) for a job that the transaction holds (lock_jobs), in whatever state it is;
 * null leaves them, what is empty removes them. No row: they were like that already. Index: jobs_pkey.
 */
export const updateJobLabels = statement(
  'update_job_labels',
  `
update millrace.jobs as j
set tags = w.tags, metadata = w.metadata, version = j.version + 1, changed_xid = pg_current_xact_id()
from (
  select c.id, case when $3::text[] is null then c.tags else nullif($3::text[], '{}') end as tags,
         case when $4::jsonb is null then c.metadata else nullif($4::jsonb, '{}') end as metadata
  from millrace.jobs c where c.tenant_id = $1 and c.id = $2
) w
where j.tenant_id = $1 and j.id = w.id and (j.tags, j.metadata) is distinct from (w.tags, w.metadata)
returning old.tags as old_tags, new.tags as new_tags, old.metadata is distinct from new.metadata as is_metadata_changed`,
);

export interface UpdatedLabelsRow {
  readonly old_tags: readonly string[] | null;
  readonly new_tags: readonly string[] | null;
  readonly is_metadata_changed: boolean;
}
