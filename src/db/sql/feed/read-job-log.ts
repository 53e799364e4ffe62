import { statement } from '../../statement.ts';

/**
 * Whether job $2 of tenant $1 has ended, and its log lines after run $3, line $4, at most $5 and no more of
 * them once
 * $6 bytes are reached, all from one snapshot: what shows the job ended shows all its lines. The first row is
 * the job's, without a line; no row: there is no such job. `bytes` are those of the lines up to here.
 * Locks nothing. Indexes: jobs_pkey, job_log_lines_pkey.
 */
export const readJobLog = statement(
  'read_job_log',
  `
select j.finished_at is not null as is_final, null::integer as run_no, null::integer as line_no, null::text as level,
       null::text as message, null::jsonb as data, null::timestamptz as logged_at, null::float8 as bytes
from millrace.jobs j where j.id = $2 and j.tenant_id = $1
union all
select * from (
  select null::boolean, s.run_no, s.line_no, s.level, s.message, s.data, s.logged_at, s.bytes
  from (
    select l.*, (sum(l.size) over (order by l.run_no, l.line_no))::float8 as bytes
    from (
      select t.run_no, t.line_no, t.level, t.message, t.data, t.logged_at,
             octet_length(t.message) + coalesce(pg_column_size(t.data), 0) as size
      from millrace.job_log_lines t
      where t.job_id = $2 and t.tenant_id = $1 and (t.run_no, t.line_no) > ($3::integer, $4::integer)
      order by t.run_no, t.line_no
      limit $5
    ) l
  ) s
  where s.bytes - s.size < $6
  order by s.run_no, s.line_no
) as lines`,
);

/** The job's row, where `is_final` is set, or a line's, where the rest is. */
export type JobLogRow =
  | { readonly is_final: boolean; readonly run_no: null }
  | {
      readonly is_final: null;
      readonly run_no: number;
      readonly line_no: number;
      readonly level: string;
      readonly message: string;
      readonly data: unknown;
      readonly logged_at: Date;
      readonly bytes: number;
    };
