import type { TestApi } from '../support/api.ts';
import type { RoleRows } from './role-cell.ts';

/** A tenant with one row of each kind that the documents of the roles name. */
export async function makeRoleRows(
  api: TestApi,
): Promise<{ readonly tenantId: string; readonly rows: RoleRows }> {
  const tenantId = await api.makeTenant();
  await api.superuser.query(`update millrace.tenants set slug = 'ours' where id = $1`, [tenantId]);
  const job = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, created_by) select $1, id, 'user:somebody' from millrace.job_definitions
     where key = 'echo' returning id`,
    [tenantId],
  );
  const jobId = job.rows[0].id;
  // A log without a line would have nothing to say before its job has ended.
  await api.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, logged_at)
     values ($1, 1, 1, $2, 'info', 'a line', now())`,
    [jobId, tenantId],
  );
  const video = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key) values ($1, 'v', 'k') returning id`,
    [tenantId],
  );
  const videoId = video.rows[0].id;
  const link = await api.superuser.query(
    `insert into millrace.links (tenant_id, url) values ($1, 'http://example.com/') returning id`,
    [tenantId],
  );
  const deletable = await api.superuser.query(
    `with clip as (
       insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms) values ($1, $2, 0, 1, 0) returning id)
     insert into millrace.videos (tenant_id, title, original_key) values ($1, 'v', 'k2')
     returning id as "videoId", (select id from clip) as "clipId"`,
    [tenantId, videoId],
  );
  return { tenantId, rows: { jobId, videoId, linkId: link.rows[0].id, canceled: deletable.rows[0] } };
}
