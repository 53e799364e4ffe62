import { statement } from '../../../db/statement.ts';
import type { StageJob } from '../pipeline/video-pipeline.ts';

/**
 * The newest 400 jobs that are stages (definitions $3, keys) of each video ($2), with what their runs said
 * last: enough for the reading of a video of a day, in chunks. Locks nothing. Indexes: jobs_subject_idx,
 * job_progress_pkey.
 */
export const stageJobsOfVideos = statement(
  'stage_jobs_of_videos',
  `
select wanted.id as "videoId", j.id, d.key as "definitionKey", j.status, j.source_ref as "sourceRef", j.started_at as "startedAt",
       j.finished_at as "finishedAt", p.percent, p.eta_seconds as "etaSeconds", p.updated_at as "progressAt"
from unnest($2::text[]) as wanted (id)
cross join lateral (
  select t.id, t.definition_id, t.status, t.source_ref, t.started_at, t.finished_at, t.run_no from millrace.jobs t
  where t.tenant_id = $1::uuid and t.subject_type = 'video' and t.subject_id = wanted.id
    and t.definition_id = any (array (select d.id from millrace.job_definitions d where d.key = any ($3::text[])))
  order by t.id desc limit 400
) j
join millrace.job_definitions d on d.id = j.definition_id
left join millrace.job_progress p on p.job_id = j.id and p.run_no = j.run_no`,
);

export interface StageJobRow extends StageJob {
  readonly videoId: string;
}
