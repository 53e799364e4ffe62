import { statement } from '../../statement.ts';

/**
 * Pages of logs of tenant $8's jobs, many in one statement: $1 jobs; lines after run $2, line $3 and before
 * run $4, line $5; at most $6 of them, from the end where $7. `place` says whose they are, from 1; a page's
 * lines come in their order. Locks nothing.
 * Index: job_log_lines_pkey.
 */
export const findLogPages = statement(
  'find_log_pages',
  `
select w.place::integer as place, l.run_no as "runNo", l.line_no as "lineNo", l.level, l.message, l.data, l.logged_at as "loggedAt"
from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::boolean[])
  with ordinality as w (job_id, after_run, after_line, before_run, before_line, size, from_end, place)
cross join lateral (
  (${lines('not w.from_end', 'asc')})
  union all
  (${lines('w.from_end', 'desc')})
) l
order by w.place, l.run_no, l.line_no`,
);

function lines(which: string, direction: 'asc' | 'desc'): string {
  return `select t.run_no, t.line_no, t.level, t.message, t.data, t.logged_at from millrace.job_log_lines t
   where ${which} and t.job_id = w.job_id and t.tenant_id = $8::uuid
     and (t.run_no, t.line_no) > (w.after_run, w.after_line) and (t.run_no, t.line_no) < (w.before_run, w.before_line)
   order by t.run_no ${direction}, t.line_no ${direction} limit w.size`;
}
