import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let tenantId: string;
let member: string;
let videoId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  videoId = await makeVideo(tenantId);
});
afterAll(() => api?.close());

async function makeVideo(tenant: string): Promise<string> {
  const { rows } = await api.superuser.query(
    `with id as (select uuidv7() as id)
     insert into millrace.videos (id, tenant_id, title, status, original_key, duration_ms)
     select id, $1, 'A talk', 'transcoded', 'videos/original/' || id || '/master.mp4', 60000 from id returning id`,
    [tenant],
  );
  return rows[0].id;
}

async function post(token: string | null, body: unknown, { method = 'POST', query = '' } = {}) {
  const response = await fetch(`${api.url}/clips${query}`, {
    method,
    headers: {
      connection: 'close',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('POST /clips', () => {
  test('makes the clip and answers as the contract of the video system says, with the padding of 2 s', async () => {
    const { status, body } = await post(member, { video_id: videoId, t_start: 1500, t_end: 3000 });
    expect(status).toBe(200);
    expect(body).toEqual({ clip_id: expect.any(String), status: 'queued', job_id: expect.any(String) });
    const { rows } = await api.superuser.query('select payload from millrace.jobs where id = $1', [
      body.job_id,
    ]);
    expect(rows[0].payload).toEqual({
      video_id: videoId,
      clip_id: body.clip_id,
      t_start: 1500,
      t_end: 3000,
      padding_ms: 2000,
      s3_original_path: `videos/original/${videoId}/master.mp4`,
    });
  });

  test('takes the same in the query string, and gives the same clip', async () => {
    const asked = { video_id: videoId, t_start: 4000, t_end: 5000, padding_ms: 100 };
    const first = await post(member, asked);
    const query = `?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`;
    expect((await post(member, undefined, { query })).body).toEqual(first.body);
  });

  test('answers with the URL once the clip is ready', async () => {
    const asked = { video_id: videoId, t_start: 6000, t_end: 7000 };
    const { body } = await post(member, asked);
    await api.superuser.query(
      `update millrace.clips set status = 'ready', object_key = 'videos/clips/' || video_id || '/' || id || '.mp4', size_bytes = 1,
         sha256 = repeat('0', 64), start_ms = 4000, end_ms = 9000 where id = $1`,
      [body.clip_id],
    );
    const ready = await post(member, asked);
    expect(ready.body).toMatchObject({ clip_id: body.clip_id, status: 'ready' });
    expect(ready.body.url).toContain(`/videos/clips/${videoId}/${body.clip_id}.mp4`);
    expect(Date.parse(ready.body.url_expires_at)).toBeGreaterThan(Date.now());
  });

  test.each([
    ['video_id', { t_start: 1, t_end: 2 }],
    ['video_id', { video_id: 'abc', t_start: 1, t_end: 2 }],
    ['t_start', { t_end: 2 }],
    ['t_start', { t_start: 60_000, t_end: 61_000 }],
    ['t_start', { t_start: 1.5, t_end: 2 }],
    ['t_end', { t_start: 5, t_end: 5 }],
    ['t_end', { t_start: 5, t_end: 'soon' }],
    ['padding_ms', { t_start: 1, t_end: 2, padding_ms: -1 }],
    ['clip', { t_start: 1, t_end: 2, clip: 'x' }],
  ])('names %s in its refusal of %j', async (field, given) => {
    const body = field === 'video_id' ? given : { video_id: videoId, ...given };
    const answer = await post(member, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'InvalidArgument', field, allowed: expect.any(String) });
  });

  test('lets in nobody without a token, no worker, and nobody to another tenant’s video', async () => {
    const asked = { video_id: videoId, t_start: 0, t_end: 1000 };
    const nobody = await post(null, asked);
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await post(await api.token(tenantId, 'worker'), asked)).status).toBe(403);
    const theirs = await makeVideo(await api.makeTenant());
    const foreign = await post(member, { ...asked, video_id: theirs });
    expect([foreign.status, foreign.body.error.field]).toEqual([404, 'video_id']);
  });

  test('takes no other method', async () => {
    const { status, headers } = await post(member, undefined, { method: 'GET' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});
