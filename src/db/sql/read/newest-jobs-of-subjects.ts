import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Ids of the newest 20 jobs about each subject ($3) of one type ($2). Locks nothing. Index: jobs_subject_idx.
 */
export const newestJobsOfSubjects = statement(
  'newest_jobs_of_subjects',
  `
select wanted.id as "subjectId", j.id
from unnest($3::text[]) as wanted (id)
cross join lateral (
  select t.id from millrace.jobs t
  where t.tenant_id = $1::uuid and t.subject_type = $2 and t.subject_id = wanted.id
  order by t.id desc limit 20
) j
order by wanted.id, j.id desc`,
);

export interface JobOfSubjectRow extends Columns<Job, 'id'> {
  readonly subjectId: string;
}
