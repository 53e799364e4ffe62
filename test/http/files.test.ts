import { once } from 'node:events';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUrlSigner } from '../../src/storage/url-signer.ts';
import { proxyPrefix } from '../../src/storage/video-keys.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  admin = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

async function create(input: object = {}) {
  const answer = await api.query(
    admin,
    `mutation ($input: CreateVideoInput!) { createVideo(input: $input) {
      ... on CreateVideoPayload { video { id uuid } upload { url maxSizeBytes } } } }`,
    { input: { title: 'A video', ...input } },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.createVideo;
}

async function complete(id: string) {
  const answer = await api.query(
    admin,
    `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) {
      ... on CompleteVideoUploadPayload { isNew video { sizeBytes urls { original } } } } }`,
    { id },
  );
  return answer.data.completeVideoUpload;
}

/** As sent, without the tidying of paths that `fetch` does. */
async function raw(method: string, url: string, headers: Record<string, string> = {}, body?: string) {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  const request = httpRequest({ hostname, port, path, method, headers, agent: false }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = await text(response);
  return { status: response.statusCode, headers: response.headers, body: answer };
}

const codeOf = (body: string) => JSON.parse(body).error.code as string;

/** Sends the headers and the first bytes; the rest when it is asked to. */
function openPut(url: string, firstBytes: string) {
  const request = httpRequest(url, { method: 'PUT', agent: false });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  response.catch(() => undefined);
  request.write(firstBytes);
  const answer = async () => {
    const [got] = await response;
    return { status: got.statusCode, body: await text(got) };
  };
  return { request, answer };
}

const incoming = () => readdir(join(api.storageDir, '.incoming'));

describe('an original', () => {
  it('is not replaced by an upload that began before its completion and ends after it', async () => {
    const { video, upload } = await create();
    expect((await raw('PUT', upload.url, {}, 'the original')).status).toBe(201);
    const late = openPut(upload.url, 'late ');
    await waitFor(async () => (await incoming()).length === 1, { describe: 'the late upload to begin' });
    const { video: completed } = await complete(video.id);
    const before = await raw('GET', completed.urls.original);
    late.request.end('bytes');
    const answer = await late.answer();
    expect(answer.status).toBe(409);
    expect(codeOf(answer.body)).toBe('WrongState');
    const after = await raw('GET', completed.urls.original);
    expect(after.body).toBe('the original');
    expect(after.headers['etag']).toBe(before.headers['etag']);
    expect(await incoming()).toEqual([]);
  });

  it('is published only while its video is held as awaiting it', async () => {
    const { video, upload } = await create();
    await api.superuser.query('begin');
    await api.superuser.query(`update millrace.videos set status = 'uploaded' where id = $1`, [video.uuid]);
    const waiting = raw('PUT', upload.url, {}, 'bytes');
    await waitFor(
      async () =>
        (await api.superuser.query('select pg_stat_clear_snapshot()')).rowCount === 1 &&
        (
          await api.superuser.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for no key update%'`,
          )
        ).rowCount === 1,
      { describe: 'the upload to wait for the row' },
    );
    await api.superuser.query('commit');
    expect((await waiting).status).toBe(409);
    expect(await incoming()).toEqual([]);
    await expect(readdir(join(api.storageDir, 'videos', 'original', video.uuid))).rejects.toThrow('ENOENT');
  });

  it('is the one that was completed, however uploads and the completion race', async () => {
    for (let round = 0; round < 5; round++) {
      const { video, upload } = await create();
      await raw('PUT', upload.url, {}, 'x');
      const puts = Array.from({ length: 4 }, (_, i) => raw('PUT', upload.url, {}, 'x'.repeat(i + 2)));
      const completing = complete(video.id);
      for (const put of await Promise.all(puts)) expect([201, 409, 423]).toContain(put.status);
      const { video: completed } = await completing;
      const { body } = await raw('GET', completed.urls.original);
      expect(body).toHaveLength(Number(completed.sizeBytes));
    }
  });

  it('may be no larger than was declared, and the answer names the limit', async () => {
    const { video, upload } = await create({ sizeBytes: '10' });
    expect(upload.maxSizeBytes).toBe('10');
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const refused = await raw('PUT', upload.url, headers, 'x'.repeat(11));
      expect(refused.status).toBe(413);
      expect(JSON.parse(refused.body).error).toMatchObject({
        code: 'ObjectTooLarge',
        allowed: 'at most 10 bytes',
        message: expect.stringContaining('10 bytes'),
      });
    }
    expect((await raw('PUT', upload.url, {}, 'x'.repeat(10))).status).toBe(201);
    expect((await complete(video.id)).video.sizeBytes).toBe('10');
  });

  it('comes with the signed type in any case and with any parameters', async () => {
    const { upload } = await create({ contentType: 'video/mp4' });
    const putAs = (type: string) => raw('PUT', upload.url, { 'content-type': type }, 'x');
    expect((await putAs('Video/MP4')).status).toBe(201);
    expect((await putAs('video/mp4; codecs="avc1.42E01E"')).status).toBe(201);
    const refused = await putAs('video/mp4x');
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body).error).toMatchObject({ field: 'content-type', allowed: 'video/mp4' });
  });

  it('of a video that is gone is refused as such', async () => {
    const { video, upload } = await create();
    await api.superuser.query('delete from millrace.videos where id = $1', [video.uuid]);
    const refused = await raw('PUT', upload.url, {}, 'x');
    expect(refused.status).toBe(404);
    expect(JSON.parse(refused.body).error).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('no video'),
    });
  });
});

describe('a signed URL', () => {
  it('with a key that is none is the client’s mistake, never the server’s', async () => {
    const urls = createUrlSigner({
      baseUrl: `${api.url}/files`,
      secrets: [new TextEncoder().encode('a-secret-of-tests-that-is-long-enough-for-anyone')],
    });
    const prefix = proxyPrefix('01890000-0000-7000-8000-000000000000');
    const { url } = await urls.getBelow(prefix, `${prefix}index.m3u8`, { expiresInSeconds: 60 });
    const base = url.slice(0, -'index.m3u8'.length);
    for (const method of ['GET', 'HEAD']) {
      for (const bad of ['', '..', '%2e%2e/x', '%00', '/x', 'a//b', 'a/', '.meta', 'x'.repeat(300), '%5c']) {
        const answer = await raw(method, base + bad);
        expect(answer.status, `${method} ${bad}`).toBe(400);
        if (method === 'GET') expect(codeOf(answer.body)).toBe('InvalidKey');
        expect(answer.headers['access-control-allow-origin']).toBe('*');
      }
      expect((await raw(method, `${base}absent.ts`)).status).toBe(404);
    }
  });

  it('that no route can read is answered in our own shape, and never repeated', async () => {
    for (const [path, status] of [
      ['/files/SECRET-TOKEN/%zz', 400],
      [`/files/${'SECRET-TOKEN'.repeat(500)}/k`, 414],
      ['/SECRET-TOKEN', 404],
    ] as const) {
      const answer = await raw('GET', api.url + path);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual({
        error: { code: expect.any(String), message: expect.any(String) },
      });
      expect(answer.body).not.toContain('SECRET');
    }
  });

  it('gives a head and bytes of one object while it is replaced again and again', async () => {
    const { video, upload } = await create();
    await raw('PUT', upload.url, {}, 'x');
    const { video: completed } = await complete(video.id);
    const path = join(api.storageDir, 'videos', 'original', video.uuid, 'master.mp4');
    let isDone = false;
    const replacing = (async () => {
      for (let i = 0; !isDone; i++) {
        await writeFile(`${path}.new`, 'x'.repeat(1 + (i % 50) * 1000));
        await rename(`${path}.new`, path);
      }
    })();
    try {
      for (let i = 0; i < 40; i++) {
        const answer = await raw('GET', completed.urls.original);
        expect(answer.status).toBe(200);
        expect(answer.body).toHaveLength(Number(answer.headers['content-length']));
      }
    } finally {
      isDone = true;
      await replacing;
    }
  });

  it('may be used by a page of any origin, for putting and for getting', async () => {
    const { video, upload } = await create({ contentType: 'video/mp4' });
    const preflight = await raw('OPTIONS', upload.url, {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    });
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    const elsewhere = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .setHeader('connection', 'close')
        .end('<title>x</title>'),
    ).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
      const put = await page.evaluate(async (url) => {
        const headers = { 'content-type': 'video/mp4' };
        const response = await fetch(url, { method: 'PUT', body: 'from a page', headers });
        return { status: response.status, etag: response.headers.get('etag') };
      }, upload.url);
      expect(put).toEqual({ status: 201, etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) });
      const { video: completed } = await complete(video.id);
      const got = await page.evaluate(async (url) => {
        const response = await fetch(url, { headers: { range: 'bytes=0-3' } });
        return { range: response.headers.get('content-range'), body: await response.text() };
      }, completed.urls.original);
      expect(got).toEqual({ range: 'bytes 0-3/11', body: 'from' });
    } finally {
      await browser.close();
      elsewhere.close();
    }
  });
});
