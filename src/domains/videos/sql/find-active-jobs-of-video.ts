import { statement } from '../../../db/statement.ts';

/**
 * Active jobs about a video or one of its clips. Locks nothing. Indexes: jobs_subject_idx, clips_video_idx.
 */
export const findActiveJobsOfVideo = statement(
  'find_active_jobs_of_video',
  `
select j.id from millrace.jobs j
where j.tenant_id = $1 and j.subject_type = 'video' and j.subject_id = $2::uuid::text and j.status in ('queued', 'running')
union all
select j.id from millrace.clips c
join millrace.jobs j on j.tenant_id = c.tenant_id and j.subject_type = 'clip' and j.subject_id = c.id::text
where c.tenant_id = $1 and c.video_id = $2 and j.status in ('queued', 'running')`,
);
