import { statement } from '../../statement.ts';

/**
 * Progress of the newest running job of given definitions ($4, keys) about each subject ($3) of one type
 * ($2), else of the newest queued one (later stages may wait behind the running one), where its run has said
 * any. Locks nothing. Indexes: jobs_subject_idx, job_progress_pkey.
 */
export const stageProgressOfSubjects = statement(
  'stage_progress_of_subjects',
  `
select wanted.id as "subjectId", p.job_id as "jobId", p.tenant_id as "tenantId", p.run_no as "runNo", p.percent, p.stage,
       p.message, p.eta_seconds as "etaSeconds", p.preview_key as "previewKey", p.updated_at as "updatedAt"
from unnest($3::text[]) as wanted (id)
cross join lateral (
  select t.id, t.run_no from millrace.jobs t
  where t.tenant_id = $1::uuid and t.subject_type = $2 and t.subject_id = wanted.id
    and t.status in ('queued', 'running')
    and t.definition_id = any (array (select d.id from millrace.job_definitions d where d.key = any ($4::text[])))
  order by t.status = 'running' desc, t.id desc limit 1
) j
join millrace.job_progress p on p.job_id = j.id and p.run_no = j.run_no`,
);
