import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Artifact } from '../../../generated/prisma/client.ts';

/**
 * Those of keys $2 that no artifact of video $1's tenant names; none of a video that is none of ours, or
 * while a job about it or a clip of it is active: its run may have put them and not said so yet. Crosses
 * tenants. Locks nothing.
 * Indexes: videos_pkey, jobs_subject_idx, clips_video_idx, artifacts_tenant_id_key_key.
 */
export const findUnnamedObjects = statement(
  'find_unnamed_objects',
  `
with video as materialized (
  select v.id, v.tenant_id from millrace.videos v
  where v.id = $1
    and not exists (
      select from millrace.jobs j
      where j.tenant_id = v.tenant_id and j.subject_type = 'video' and j.subject_id = v.id::text
        and j.status in ('queued', 'running'))
    and not exists (
      select from millrace.clips c
      where c.tenant_id = v.tenant_id and c.video_id = v.id and c.status in ('queued', 'running'))
)
select k.key from video v cross join unnest($2::text[]) as k (key)
where not exists (select from millrace.artifacts a where a.tenant_id = v.tenant_id and a.key = k.key)`,
);

export type UnnamedObjectRow = Columns<Artifact, 'key'>;
