import { statement } from '../../statement.ts';

/** Those of the ids $1 that no job has. Crosses tenants. Locks nothing. Index: jobs_pkey. */
export const findJobsGone = statement(
  'find_jobs_gone',
  `
select w.id from unnest($1::uuid[]) as w (id)
where not exists (select from millrace.jobs j where j.id = w.id)`,
);
