import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openSocket } from '../../support/ws.ts';

let api: TestApi;
let tenantId: string;
let token: string;
let videoId: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_MAX_CLIP_SECONDS: '60' } });
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  videoId = await makeVideo();
});
afterAll(() => api.close());

async function makeVideo(tenant = tenantId, status = 'transcoded'): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, status, original_key, duration_ms)
     values ($1, 'A talk', $2, '', 120000) returning id`,
    [tenant, status],
  );
  const { id } = rows[0];
  await api.superuser.query(
    `update millrace.videos set original_key = 'videos/original/' || id || '/master.mp4' where id = $1`,
    [id],
  );
  return id;
}

const REQUEST = `mutation ($input: RequestClipInput!) { requestClip(input: $input) {
  __typename
  ... on RequestClipPayload { isNew job { uuid status payload createdBy subject { type key } }
    clip { id uuid status url startMs endMs requestedStartMs requestedEndMs paddingMs error { type } job { uuid } } }
  ... on DomainFailure { code message field allowed } } }`;

async function request(input: object, as = token) {
  const answer = await api.query(as, REQUEST, { input: { videoId, ...input } });
  expect(answer.errors).toEqual([]);
  return answer.data.requestClip;
}

async function clipRow(id: string) {
  const { rows } = await api.superuser.query('select * from millrace.clips where id = $1', [id]);
  return rows[0];
}

/** What the settling transaction of a worker writes. */
async function makeReady(id: string, keptFor = '30 days'): Promise<void> {
  await api.superuser.query(
    `with clip as (
       update millrace.clips set status = 'ready', object_key = 'videos/clips/' || video_id || '/' || id || '.mp4', size_bytes = 5,
         sha256 = repeat('a', 64), start_ms = 8000, end_ms = 17000, width_px = 320, height_px = 180, expires_at = now() + $2::interval
       where id = $1 returning job_id)
     update millrace.jobs j set status = 'running', run_no = 1, lease_token = uuidv7(), lease_expires_at = now()
     from clip where j.id = clip.job_id`,
    [id, keptFor],
  );
  await api.superuser.query(
    `update millrace.jobs set status = 'succeeded', finished_at = now(), lease_token = null, lease_expires_at = null
     where id = (select job_id from millrace.clips where id = $1)`,
    [id],
  );
}

describe('requestClip', () => {
  it('makes the clip and its job, with the payload that the contract of the video system writes down', async () => {
    const made = await request({ startMs: 1500, endMs: 3000 });
    const { clip, job } = made;
    expect(made).toMatchObject({ isNew: true });
    expect(clip).toMatchObject({
      status: 'QUEUED',
      url: null,
      requestedStartMs: 1500,
      requestedEndMs: 3000,
      paddingMs: 2000,
      error: null,
    });
    expect(job).toMatchObject({
      status: 'QUEUED',
      subject: { type: 'clip', key: clip.uuid },
      createdBy: 'user:alice',
    });
    expect(job.payload).toEqual({
      video_id: videoId,
      clip_id: clip.uuid,
      t_start: 1500,
      t_end: 3000,
      padding_ms: 2000,
      s3_original_path: `videos/original/${videoId}/master.mp4`,
    });
  });

  it('gives twenty who ask at once the same clip and the same one job', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => request({ startMs: 20_000, endMs: 21_000, paddingMs: 0 })),
    );
    expect(new Set(answers.map(({ clip }) => clip.uuid)).size).toBe(1);
    expect(new Set(answers.map(({ job }) => job.uuid)).size).toBe(1);
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    const { rows } = await api.superuser.query('select id from millrace.jobs where subject_id = $1', [
      answers[0].clip.uuid,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('gives other ranges of the same video clips of their own', async () => {
    const ids = new Set<string>();
    for (const input of [
      { startMs: 30_000, endMs: 31_000, paddingMs: 0 },
      { startMs: 30_000, endMs: 31_000, paddingMs: 1 },
      { startMs: 30_000, endMs: 31_001, paddingMs: 0 },
    ])
      ids.add((await request(input)).clip.uuid);
    expect(ids.size).toBe(3);
  });

  it.each([
    ['startMs', { startMs: -1, endMs: 5 }],
    ['startMs', { startMs: 120_000, endMs: 121_000 }],
    ['endMs', { startMs: 5, endMs: 5 }],
    ['paddingMs', { startMs: 5, endMs: 10, paddingMs: -1 }],
    ['paddingMs', { startMs: 5, endMs: 10, paddingMs: 60_001 }],
    ['endMs', { startMs: 1000, endMs: 61_001, paddingMs: 0 }],
    ['videoId', { startMs: 5, endMs: 10, videoId: 'Clip:1' }],
  ])('names %s for a range that cannot be: %j', async (field, input) => {
    const refused = await request(input);
    expect(refused).toMatchObject({ __typename: 'InvalidArgumentError', field: `input.${field}` });
    expect(refused.allowed).toBeTruthy();
  });

  it('takes a range that goes on after the video, since the clip ends with the video', async () => {
    expect(await request({ startMs: 119_000, endMs: 2_000_000_000, paddingMs: 0 })).toMatchObject({
      isNew: true,
    });
  });

  it('refuses a video that has not been uploaded, and leaves no row behind', async () => {
    const waiting = await makeVideo(tenantId, 'awaiting_upload');
    const refused = await request({ videoId: waiting, startMs: 0, endMs: 1000 });
    expect(refused).toMatchObject({ code: 'OBJECT_NOT_FOUND', field: 'input.videoId' });
    const { rows } = await api.superuser.query('select id from millrace.clips where video_id = $1', [
      waiting,
    ]);
    expect(rows).toEqual([]);
  });

  it('writes neither row nor job when the definition takes no new jobs', async () => {
    await api.superuser.query(
      `update millrace.job_definitions set is_active = false where key = 'clip_generate'`,
    );
    const refused = await request({ startMs: 40_000, endMs: 41_000 });
    await api.superuser.query(
      `update millrace.job_definitions set is_active = true where key = 'clip_generate'`,
    );
    expect(refused).toMatchObject({ code: 'DEFINITION_INACTIVE' });
    const { rows } = await api.superuser.query('select id from millrace.clips where t_start_ms = 40000');
    expect(rows).toEqual([]);
  });

  it('makes a failed clip again under the same id, with a new job', async () => {
    const first = await request({ startMs: 50_000, endMs: 51_000 });
    const stop = `mutation { cancelJob(input: { id: "${first.job.uuid}", reason: "not now" }) { ... on DomainFailure { code } } }`;
    await api.query(await api.token(tenantId, 'tenant_admin'), stop);
    const failed = await api.query(
      token,
      `{ clip(id: "${first.clip.uuid}") { status error { type message retryCount failedAt } } }`,
    );
    expect(failed.data.clip).toMatchObject({ status: 'FAILED', error: { type: 'Canceled', retryCount: 0 } });
    expect(failed.data.clip.error.failedAt).toBeTruthy();
    const again = await request({ startMs: 50_000, endMs: 51_000 });
    expect(again).toMatchObject({
      isNew: true,
      clip: { uuid: first.clip.uuid, status: 'QUEUED', error: null },
    });
    expect(again.job.uuid).not.toBe(first.job.uuid);
  });

  it('puts a failed clip back to work when an operator retries its job, and does not make it twice meanwhile', async () => {
    const first = await request({ startMs: 55_000, endMs: 56_000 });
    const admin = await api.token(tenantId, 'tenant_admin');
    const job = `(input: { id: "${first.job.uuid}" }) { ... on DomainFailure { code } }`;
    await api.query(admin, `mutation { cancelJob${job} }`);
    expect((await clipRow(first.clip.uuid)).status).toBe('failed');
    await api.query(admin, `mutation { retryJob${job} }`);
    expect(await clipRow(first.clip.uuid)).toMatchObject({ status: 'queued', error: null, expires_at: null });
    expect(await request({ startMs: 55_000, endMs: 56_000 })).toMatchObject({
      isNew: false,
      job: { uuid: first.job.uuid },
    });
  });

  it('gives a clip that is ready again with its URL, and makes one whose time is up again', async () => {
    const input = { startMs: 60_000, endMs: 61_000 };
    const { clip } = await request(input);
    await makeReady(clip.uuid);
    const ready = await request(input);
    expect(ready).toMatchObject({
      isNew: false,
      clip: { uuid: clip.uuid, status: 'READY', startMs: 8000, endMs: 17_000 },
    });
    const { object_key: key } = await clipRow(clip.uuid);
    const path = join(api.storageDir, key);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'movie');
    const file = await fetch(ready.clip.url, { headers: { connection: 'close' } });
    expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
      200,
      'video/mp4',
      'movie',
    ]);
    await api.superuser.query(`update millrace.clips set expires_at = now() where id = $1`, [clip.uuid]);
    const again = await request(input);
    expect(again).toMatchObject({
      isNew: true,
      clip: { uuid: clip.uuid, status: 'QUEUED', url: null, startMs: null },
    });
  });

  it('signs no URL that would outlive its clip', async () => {
    const { clip } = await request({ startMs: 62_000, endMs: 63_000 });
    await makeReady(clip.uuid, '100 seconds');
    const { data } = await api.query(token, `{ clip(id: "${clip.id}") { urlExpiresAt expiresAt } }`);
    expect(Date.parse(data.clip.urlExpiresAt)).toBeLessThanOrEqual(Date.parse(data.clip.expiresAt) + 1000);
  });

  it('knows nothing of another tenant’s video', async () => {
    const theirs = await makeVideo(await api.makeTenant());
    expect(await request({ videoId: theirs, startMs: 0, endMs: 1000 })).toMatchObject({
      code: 'NOT_FOUND',
      field: 'input.videoId',
    });
  });
});

describe('Video.clips', () => {
  it('pages through the clips of the video, newest first', async () => {
    const video = await makeVideo();
    const uuids: string[] = [];
    for (const startMs of [0, 1000, 2000])
      uuids.unshift((await request({ videoId: video, startMs, endMs: startMs + 500 })).clip.uuid);
    const page = async (after: string | null) =>
      (
        await api.query(
          token,
          'query ($id: ID!, $after: String) { video(id: $id) { clips(first: 2, after: $after) { nodes { uuid } pageInfo { endCursor hasNextPage } } } }',
          { id: video, after },
        )
      ).data.video.clips;
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);
    expect([...first.nodes, ...second.nodes].map((node: { uuid: string }) => node.uuid)).toEqual(uuids);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
  });
});

describe('clipChanged', () => {
  it('begins with the clip as it is, then reports its job, the progress and the end; videoChanged of the end', async () => {
    const { clip, job } = await request({ startMs: 70_000, endMs: 71_000 });
    const socket = openSocket(api.server.graphqlUrl, { token });
    const watching = socket.subscribe(
      `subscription { clipChanged(id: "${clip.id}") { status progress { percent stage } url } }`,
    );
    const ofVideo = socket.subscribe(
      `subscription { videoChanged(id: "${videoId}") { clips(first: 100) { nodes { uuid status } } } }`,
    );
    try {
      const shows = (status: string) => (event: unknown) =>
        JSON.stringify(event).includes(`"status":"${status}"`);
      await watching.next(shows('QUEUED'), 'the state');
      await ofVideo.next(() => true, 'the state');
      await api.superuser.query(
        `update millrace.jobs set status = 'running', run_no = 1, lease_token = uuidv7(), lease_expires_at = now() + interval '1 hour' where id = $1`,
        [job.uuid],
      );
      await watching.next(shows('RUNNING'), 'the claim');
      await api.superuser.query(
        `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, stage) values ($1, $2, 1, 40, 'clip')`,
        [job.uuid, tenantId],
      );
      await watching.next((event) => JSON.stringify(event).includes('"percent":40'), 'the progress');
      await api.superuser.query(
        `update millrace.clips set status = 'ready', object_key = 'videos/clips/x/y.mp4', size_bytes = 1, sha256 = repeat('b', 64),
           start_ms = 0, end_ms = 1 where id = $1`,
        [clip.uuid],
      );
      await watching.next(shows('READY'), 'the end');
      const seen = (event: unknown) =>
        JSON.stringify(event).includes(`"uuid":"${clip.uuid}","status":"READY"`);
      await ofVideo.next(seen, 'the end in the video’s stream');
    } finally {
      watching.stop();
      ofVideo.stop();
      await socket.close();
    }
  });
});
