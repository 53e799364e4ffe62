import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** The newest job of one definition about a subject. Locks nothing. Index: jobs_subject_idx. */
export const findNewestJobOfSubject = statement(
  'find_newest_job_of_subject',
  `
select j.id from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.tenant_id = $1 and j.subject_type = $2 and j.subject_id = $3 and d.key = $4
order by j.id desc limit 1`,
);

export type NewestJobRow = Columns<Job, 'id'>;
