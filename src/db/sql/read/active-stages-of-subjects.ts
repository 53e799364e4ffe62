import { statement } from '../../statement.ts';

/**
 * The newest active job of given definitions ($4, keys) about each subject ($3) of one type ($2), with its run.
 * Locks nothing. Index: jobs_subject_idx.
 */
export const activeStagesOfSubjects = statement(
  'active_stages_of_subjects',
  `
select wanted.id as "subjectId", j.id as "jobId", j.run_no as "runNo"
from unnest($3::text[]) as wanted (id)
cross join lateral (
  select t.id, t.run_no from millrace.jobs t
  where t.tenant_id = $1::uuid and t.subject_type = $2 and t.subject_id = wanted.id
    and t.status in ('queued', 'running')
    and t.definition_id = any (array (select d.id from millrace.job_definitions d where d.key = any ($4::text[])))
  order by t.id desc limit 1
) j`,
);
