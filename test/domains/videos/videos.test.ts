import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';

let api: TestApi;
let admin: string;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_MAX_UPLOAD_BYTES: '100000' } });
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const CREATE = `mutation ($input: CreateVideoInput!) { createVideo(input: $input) { __typename
  ... on DomainFailure { code field allowed }
  ... on CreateVideoPayload { video { id uuid status title urls { original playlist poster } }
    upload { method url headers { name value } expiresAt maxSizeBytes } } } }`;
const COMPLETE = `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { __typename
  ... on DomainFailure { code field message }
  ... on CompleteVideoUploadPayload { isNew video { id status sizeBytes urls { original } jobs { id } }
    job { id status payload dedupeKey subject { type key } video { id } } } } }`;

async function create(input: object = {}) {
  const answer = await api.query(admin, CREATE, { input: { title: 'A video', ...input } });
  expect(answer.errors).toEqual([]);
  return answer.data.createVideo;
}

const put = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers: { connection: 'close', ...headers } });
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { connection: 'close', ...headers } });

describe('a video’s upload', () => {
  it('goes from createVideo by PUT to completeVideoUpload and a transcode job', async () => {
    const { video, upload } = await create({ fileName: 'clip.webm', contentType: 'video/webm' });
    expect(video).toMatchObject({ status: 'AWAITING_UPLOAD', urls: { original: null, playlist: null } });
    expect(upload).toMatchObject({ method: 'PUT', maxSizeBytes: '100000' });

    const early = await api.query(admin, COMPLETE, { id: video.id });
    expect(early.data.completeVideoUpload).toMatchObject({ code: 'OBJECT_NOT_FOUND' });

    const headers = Object.fromEntries(
      upload.headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect((await put(upload.url, 'the bytes', { ...headers, 'content-type': 'text/html' })).status).toBe(
      400,
    );
    expect((await put(upload.url, 'the bytes', headers)).status).toBe(201);

    const done = (await api.query(admin, COMPLETE, { id: video.id })).data.completeVideoUpload;
    expect(done).toMatchObject({
      isNew: true,
      video: { status: 'UPLOADED', sizeBytes: '9' },
      job: {
        status: 'QUEUED',
        dedupeKey: `millrace:transcode:${video.uuid}`,
        subject: { type: 'video', key: video.uuid },
        video: { id: video.id },
        payload: { video_id: video.uuid, s3_original_path: `videos/original/${video.uuid}/master.webm` },
      },
    });
    expect(done.video.jobs).toEqual([{ id: done.job.id }]);

    const again = (await api.query(admin, COMPLETE, { id: video.uuid })).data.completeVideoUpload;
    expect(again).toMatchObject({ isNew: false, job: { id: done.job.id } });

    const original = await get(done.video.urls.original);
    expect(original.headers.get('content-type')).toBe('video/webm');
    expect(await original.text()).toBe('the bytes');
    // The URL is still good, but the original is being read by now.
    expect((await put(upload.url, 'other bytes', headers)).status).toBe(409);
  });

  it('gets its transcode job whatever other jobs its tenant has, and pipelines’ keys are nobody else’s', async () => {
    const { video, upload } = await create();
    await put(upload.url, 'bytes');
    const member = await api.token(tenantId, 'member');
    const squat = async (dedupeKey: string) => {
      const answer = await api.query(
        member,
        `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { __typename
          ... on DomainFailure { code field allowed } } }`,
        {
          input: {
            definition: 'echo',
            payload: { message: 'x' },
            dedupeKey,
            scheduledFor: '2199-01-01T00:00:00Z',
            subject: { type: 'video', key: video.uuid },
          },
        },
      );
      return answer.data.enqueueJob;
    };
    for (const key of [`millrace:transcode:${video.uuid}`, 'millrace:', 'millrace:anything'])
      expect(await squat(key)).toMatchObject({
        code: 'INVALID_ARGUMENT',
        field: 'input.dedupeKey',
        allowed: expect.stringContaining('millrace:'),
      });
    for (const key of [`transcode:${video.uuid}`, `Millrace:transcode:${video.uuid}`])
      expect(await squat(key)).toMatchObject({ __typename: 'EnqueueJobPayload' });
    const done = (await api.query(admin, COMPLETE, { id: video.id })).data.completeVideoUpload;
    expect(done).toMatchObject({ isNew: true, job: { payload: { video_id: video.uuid } } });
  });

  it('gets another transcode job when its first has been lost, and only then', async () => {
    const { video, upload } = await create();
    await put(upload.url, 'bytes');
    const complete = async () =>
      (await api.query(admin, COMPLETE, { id: video.id })).data.completeVideoUpload;
    const first = await complete();
    await api.superuser.query('delete from millrace.jobs where subject_id = $1', [video.uuid]);
    const second = await complete();
    expect(second).toMatchObject({ isNew: true, job: { status: 'QUEUED' } });
    expect(second.job.id).not.toBe(first.job.id);
    expect(await complete()).toMatchObject({ isNew: false, job: { id: second.job.id } });
    await api.superuser.query('delete from millrace.jobs where subject_id = $1', [video.uuid]);
    await api.superuser.query(`update millrace.videos set status = 'transcoded' where id = $1`, [video.uuid]);
    expect(await complete()).toMatchObject({ isNew: false, job: null });
  });

  it('is enqueued once however many complete it at the same time', async () => {
    const { video, upload } = await create();
    await put(upload.url, 'bytes');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.query(admin, COMPLETE, { id: video.id })),
    );
    const results = answers.map((answer) => answer.data.completeVideoUpload);
    expect(results.filter((result) => result.isNew)).toHaveLength(1);
    expect(new Set(results.map((result) => result.job.id)).size).toBe(1);
  });

  it('is refused when it is too large, and leaves nothing behind', async () => {
    const { video, upload } = await create();
    expect((await put(upload.url, 'x'.repeat(100_001))).status).toBe(413);
    const chunked = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(10_000));
        controller.close();
      },
    });
    const streamed = await fetch(upload.url, {
      method: 'PUT',
      body: chunked,
      duplex: 'half',
      headers: { connection: 'close' },
    } as RequestInit).catch(() => null);
    // The server may close while the client still sends, which the client sees as a broken connection.
    expect(streamed?.status ?? 413).toBe(413);
    const { data } = await api.query(admin, COMPLETE, { id: video.id });
    expect(data.completeVideoUpload.code).toBe('OBJECT_NOT_FOUND');
    await waitFor(async () => (await readdir(`${api.storageDir}/.incoming`)).length === 0, {
      describe: 'no half upload to be left',
    });
    expect(await create({ sizeBytes: '100001' })).toMatchObject({
      code: 'OBJECT_TOO_LARGE',
      field: 'input.sizeBytes',
    });
  });

  it('of an empty file is refused and may be repeated', async () => {
    const { video, upload } = await create();
    await put(upload.url, '');
    const empty = await api.query(admin, COMPLETE, { id: video.id });
    expect(empty.data.completeVideoUpload).toMatchObject({ code: 'INVALID_ARGUMENT' });
    await put(upload.url, 'now with bytes');
    const full = await api.query(admin, COMPLETE, { id: video.id });
    expect(full.data.completeVideoUpload).toMatchObject({ isNew: true });
  });

  it.each([
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(501) }],
    ['contentType', { contentType: 'text/html' }],
    ['contentType', { contentType: 'video/svg+xml' }],
    ['contentType', { contentType: 'video/html' }],
    ['sizeBytes', { sizeBytes: 0 }],
  ])('is refused for a bad %s', async (field, input) => {
    expect(await create(input)).toMatchObject({ code: 'INVALID_ARGUMENT', field: `input.${field}` });
  });
});

describe('a video’s progress', () => {
  it('is that of the stage that runs, whatever waits behind it', async () => {
    const { video } = await create();
    const insert = async (key: string, runNo: number) => {
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, status, run_no, lease_token, lease_expires_at)
         select $1, id, 'video', $2, case $4::int when 0 then 'queued' else 'running' end, $4,
           case when $4 > 0 then gen_random_uuid() end, case when $4 > 0 then now() + interval '1 hour' end
         from millrace.job_definitions where key = $3 returning id`,
        [tenantId, video.uuid, key, runNo],
      );
      return rows[0].id as string;
    };
    const reader = await insert('ocr', 1);
    await insert('segment_index', 0);
    await api.superuser.query(
      `insert into millrace.job_progress (job_id, tenant_id, run_no, percent) values ($1, $2, 1, 55)`,
      [reader, tenantId],
    );
    const answer = await api.query(admin, 'query ($id: ID!) { video(id: $id) { progress { percent } } }', {
      id: video.id,
    });
    expect(answer.data.video.progress).toEqual({ percent: 55 });
  });

  it('is its stage’s, whatever other jobs are about it, and null without one', async () => {
    const { video } = await create();
    const PROGRESS = 'query ($id: ID!) { video(id: $id) { progress { percent } jobs { id } } }';
    const progress = async () =>
      (await api.query(admin, PROGRESS, { id: video.id })).data.video.progress?.percent ?? null;
    const run = async (key: string, percent: number, count = 1) =>
      api.superuser.query(
        `with j as (
           insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, status, run_no, lease_token, lease_expires_at)
           select $1, d.id, 'video', $2, 'running', 1, gen_random_uuid(), now() + interval '1 hour'
           from millrace.job_definitions d, generate_series(1, $5::integer) where d.key = $3 returning id)
         insert into millrace.job_progress (job_id, tenant_id, run_no, percent) select id, $1, 1, $4 from j`,
        [tenantId, video.uuid, key, percent, count],
      );
    await run('echo', 99);
    expect(await progress()).toBeNull();
    await run('transcode', 42);
    // More than `jobs` shows, all of them newer than the stage.
    await run('echo', 99, 30);
    expect(await progress()).toBe(42);
    await api.superuser.query(
      `update millrace.jobs set status = 'succeeded', finished_at = now(), lease_token = null, lease_expires_at = null
       where subject_id = $1 and definition_id = (select id from millrace.job_definitions where key = 'transcode')`,
      [video.uuid],
    );
    expect(await progress()).toBeNull();
  });
});

describe('a signed file URL', () => {
  it('serves ranges, HEAD and conditional requests', async () => {
    const { video, upload } = await create();
    await put(upload.url, '0123456789');
    const { data } = await api.query(admin, COMPLETE, { id: video.id });
    const url = data.completeVideoUpload.video.urls.original;
    const part = await get(url, { range: 'bytes=2-4' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await part.text()).toBe('234');
    expect(await (await get(url, { range: 'bytes=-3' })).text()).toBe('789');
    expect((await get(url, { range: 'bytes=10-' })).status).toBe(416);
    const head = await get(url, {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe('10');
    expect(head.headers.get('content-type')).toBe('video/mp4');
    expect(head.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = head.headers.get('etag') ?? '';
    expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is refused when it was changed, is for something else, or names another key', async () => {
    const { upload } = await create();
    const { url: other } = (await create()).upload;
    const token = new URL(upload.url).pathname.split('/')[2] ?? '';
    expect((await get(upload.url)).status).toBe(403);
    expect((await put(upload.url.replace(token, `${token}x`), 'b')).status).toBe(403);
    const swapped = `${upload.url.split('/videos/')[0]}/videos/${other.split('/videos/')[1]}`;
    expect((await put(swapped, 'b')).status).toBe(403);
  });
});
