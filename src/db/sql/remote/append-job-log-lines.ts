import { statement } from '../../statement.ts';

/**
 * Appends log lines to run $2 of job $1 (of tenant $3), after those that it has: $4 to $7 the lines (level,
 * message, data, time or null for now), at most $8 in all. Only for the holder of the job's row: lines of two
 * requests at once would get the same numbers.
 * Index: job_log_lines_pkey.
 */
export const appendJobLogLines = statement(
  'append_job_log_lines',
  `
insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, data, logged_at)
select $1, $2, s.last_no + l.place, $3, l.level, l.message, l.data::jsonb, coalesce(l.logged_at, clock_timestamp())
from (select coalesce(max(line_no), 0) as last_no from millrace.job_log_lines where job_id = $1::uuid and run_no = $2::integer) s
cross join unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[]) with ordinality as l (level, message, data, logged_at, place)
where s.last_no + l.place <= $8::integer
returning 1`,
);
