import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Store } from '../../../src/storage/s3/s3-store.ts';
import { proxyPrefix } from '../../../src/storage/video-keys.ts';
import { bytes } from '../../storage/stores.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startTestS3, type TestS3 } from '../../support/s3-server.ts';

let s3: TestS3;
let api: TestApi;
let admin: string;

beforeAll(async () => {
  s3 = await startTestS3();
  api = await startTestApi({
    env: { ...s3.env, MILLRACE_MAX_UPLOAD_BYTES: '1000', MILLRACE_S3_PREFIX: '/in/stall' },
  });
  admin = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(async () => {
  await api.close();
  await s3.close();
});

const CREATE = `mutation ($input: CreateVideoInput!) { createVideo(input: $input) { __typename
  ... on DomainFailure { code field allowed }
  ... on CreateVideoPayload { video { id uuid } upload { method url headers { name value } maxSizeBytes } } } }`;
const COMPLETE = `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { __typename
  ... on DomainFailure { code field message }
  ... on CompleteVideoUploadPayload { isNew video { status sizeBytes contentType urls { original } } job { id } } } }`;

async function create(input: object = {}) {
  const answer = await api.query(admin, CREATE, { input: { title: 'A video', ...input } });
  expect(answer.errors).toEqual([]);
  const { video, upload } = answer.data.createVideo;
  const headers = Object.fromEntries(
    upload.headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const put = (body: string, others: object = {}) =>
    send(upload.url, { method: upload.method, body, headers: { ...headers, ...others } });
  return { video, upload, put };
}

async function complete(id: string) {
  const answer = await api.query(admin, COMPLETE, { id });
  expect(answer.errors).toEqual([]);
  return answer.data.completeVideoUpload;
}

async function send(url: string, init: RequestInit = {}) {
  return await fetch(url, { ...init, headers: { connection: 'close', ...init.headers } });
}

describe('a video in a bucket', () => {
  it('is put to the bucket itself, completed, and read from it, once and for all', async () => {
    const { video, upload, put } = await create({ fileName: 'clip.webm', contentType: 'video/webm' });
    const key = `in/stall/videos/original/${video.uuid}/master.webm`;
    expect(upload.url).toContain(`${s3.endpoint}/${s3.bucket}/${key}?`);
    expect(await complete(video.id)).toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    expect((await put('the bytes')).status).toBe(200);

    const done = await complete(video.id);
    expect(done).toMatchObject({
      isNew: true,
      video: { status: 'UPLOADED', sizeBytes: '9', contentType: 'video/webm' },
    });
    expect(await complete(video.id)).toMatchObject({ isNew: false, job: done.job });
    // The URL is still good, but the original is being read by now.
    expect((await put('other')).status).toBe(412);
    const original = await send(done.video.urls.original, { headers: { range: 'bytes=4-' } });
    expect(done.video.urls.original).toContain(`${s3.endpoint}/${s3.bucket}/${key}?`);
    expect(original.status).toBe(206);
    expect(original.headers.get('content-type')).toBe('video/webm');
    expect(await original.text()).toBe('bytes');
  });

  it('is stored and served as a video where no type was declared, whatever the client sends', async () => {
    const { video, upload, put } = await create({ fileName: 'page.html' });
    expect(upload.headers).toContainEqual({ name: 'content-type', value: 'video/mp4' });
    expect((await put('<script>', { 'content-type': 'text/html' })).status).toBe(403);
    expect((await put('<script>', { 'content-type': 'image/svg+xml' })).status).toBe(403);
    expect((await put('<script>')).status).toBe(200);
    const done = await complete(video.id);
    const original = await send(done.video.urls.original, {});
    expect(original.headers.get('content-type')).toBe('video/mp4');
  });

  it('must have the size that was named, and otherwise one that is taken; what is no good can be put again', async () => {
    const named = await create({ sizeBytes: 5 });
    expect((await named.put('123456')).status).toBe(403);
    expect((await named.put('12345')).status).toBe(200);
    expect(await complete(named.video.id)).toMatchObject({ isNew: true, video: { sizeBytes: '5' } });

    const free = await create();
    expect(free.upload.maxSizeBytes).toBe('1000');
    expect((await free.put('x'.repeat(1001))).status).toBe(200);
    expect(await complete(free.video.id)).toMatchObject({ code: 'OBJECT_TOO_LARGE', field: 'input.id' });
    expect((await free.put('')).status).toBe(200);
    expect(await complete(free.video.id)).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.id' });
    expect((await free.put('good')).status).toBe(200);
    expect(await complete(free.video.id)).toMatchObject({ isNew: true, video: { sizeBytes: '4' } });
  });

  it('is played through a playlist of ours and segments that the bucket gives away', async () => {
    const { video, put } = await create();
    await put('bytes');
    await complete(video.id);
    const prefix = proxyPrefix(video.uuid);
    const store = createS3Store({ ...s3.settings, keyPrefix: 'in/stall/' });
    await store.put(`${prefix}index.m3u8`, bytes('#EXTM3U\nsegment_r1_0.ts\n'));
    await store.put(`${prefix}segment_r1_0.ts`, bytes('0123456789'));
    store.close?.();
    await api.superuser.query(
      `update millrace.videos set status = 'transcoded', proxy_key = $2 where id = $1`,
      [video.uuid, `${prefix}index.m3u8`],
    );
    const { data } = await api.query(admin, 'query ($id: ID!) { video(id: $id) { urls { playlist } } }', {
      id: video.id,
    });
    const playlistUrl: string = data.video.urls.playlist;
    expect(playlistUrl).toContain(`${api.url}/files/`);
    const playlist = await send(playlistUrl, { redirect: 'manual' });
    expect(playlist.status).toBe(200);
    expect(await playlist.text()).toBe('#EXTM3U\nsegment_r1_0.ts\n');

    const segmentUrl = new URL('segment_r1_0.ts', playlistUrl).href;
    const redirect = await send(segmentUrl, { redirect: 'manual' });
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get('location')).toContain(`${s3.endpoint}/${s3.bucket}/in/stall/${prefix}`);
    expect(redirect.headers.get('access-control-allow-origin')).toBe('*');
    expect(redirect.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    const segment = await send(segmentUrl, { headers: { range: 'bytes=2-4' } });
    expect(segment.status).toBe(206);
    expect(await segment.text()).toBe('234');
    const head = await send(segmentUrl, { method: 'HEAD', redirect: 'manual' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe('10');

    const outside = segmentUrl.replace(/videos\/proxy\/.*$/, `videos/original/${video.uuid}/master.mp4`);
    expect((await send(outside, { redirect: 'manual' })).status).toBe(403);
  });

  it('is answered with a clear error while the bucket is away, and the upload can be completed afterwards', async () => {
    const { video, put } = await create();
    await put('bytes');
    s3.trouble(() => 'break');
    const away = await api.query(admin, COMPLETE, { id: video.id });
    expect(away.errors[0]?.extensions).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    s3.trouble(() => 'denied');
    const denied = await api.query(admin, COMPLETE, { id: video.id });
    expect(denied.errors[0]?.extensions).toMatchObject({ code: 'INTERNAL' });
    s3.trouble(null);
    expect(await complete(video.id)).toMatchObject({ isNew: true });
  });
});
