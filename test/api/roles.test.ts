import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/core/actor.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { rootFields } from '../support/selection.ts';
import { openStream } from '../support/sse.ts';
import type { RoleCell, RoleRows } from './role-cell.ts';
import { MATRIX } from './role-matrix.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

let api: TestApi;
let tenantId: string;
let rows: RoleRows;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours' } });
  tenantId = await api.makeTenant();
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
  rows = { jobId, videoId, linkId: link.rows[0].id, canceled: deletable.rows[0] };
});
afterAll(() => api.close());

/** Whether the answer, or a stream's first event, says FORBIDDEN. */
async function isForbidden(role: Role, document: string): Promise<boolean> {
  const token = await api.token(tenantId, role);
  if (!document.startsWith('subscription'))
    return JSON.stringify(await api.query(token, document)).includes('FORBIDDEN');
  const stream = await openStream(api.server.graphqlUrl, token, document);
  const first = await stream.next(() => true, 'an event');
  stream.stop();
  return JSON.stringify(first).includes('FORBIDDEN');
}

describe('what each role may do', () => {
  it('is written down for every root field', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(
      rootFields(schema)
        .map(([coordinate]) => coordinate)
        .sort(),
    );
  });

  const cells = Object.keys(MATRIX).flatMap((field) => ROLES.map((role) => [role, field] as const));
  it.each(cells)('%s: %s', async (role, field) => {
    const { roles, document } = MATRIX[field] as RoleCell;
    expect(await isForbidden(role, document(rows))).toBe(!roles.includes(role));
  });
});
