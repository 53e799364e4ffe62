import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as tus from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { Database } from '../../src/db/database.ts';
import { uploadsDuty } from '../../src/domains/videos/duties/expired-uploads.ts';
import { openServer } from '../../src/open-server.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { createUploadUrls } from '../../src/storage/upload-urls.ts';
import { originalKey } from '../../src/storage/video-keys.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts';
import { silentLog } from '../support/queue.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { begin, openPatch, patch, pieceHeaders, send, unfinishedUploads } from '../support/tus-requests.ts';
import { waitFor } from '../support/wait.ts';
import { turn } from '../workers/runtime/support/turn.ts';

const MIB = 1024 * 1024;
const CREATE = `mutation ($input: CreateVideoInput!) { createVideo(input: $input) { __typename
  ... on DomainFailure { code field allowed }
  ... on CreateVideoPayload { video { id uuid } upload { url maxSizeBytes } resumableUpload { url expiresAt maxSizeBytes } } } }`;
const LOOK = `query ($id: ID!) { video(id: $id) { status sizeBytes contentType urls { original }
  jobs { id definition { key } createdBy } } }`;
const COMPLETE = `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { __typename
  ... on DomainFailure { code } ... on CompleteVideoUploadPayload { isNew job { id } } } }`;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['a folder', 'a bucket'])('a resumable upload into %s', (kind) => {
  let s3: TestS3 | null = null;
  let env: Readonly<Record<string, string>> = {};
  let api: TestApi;
  let tenantId: string;
  let admin: string;
  // A bucket takes parts of 8 MiB and more, so there the file has some, and a rest.
  const file = randomBytes(kind === 'a bucket' ? 9 * MIB + 5 : 3 * MIB + 7);
  const half = Math.floor(file.length / 2);

  beforeAll(async () => {
    s3 = kind === 'a bucket' ? await startTestS3() : null;
    env = { ...s3?.env, MILLRACE_MAX_UPLOAD_BYTES: String(6 * 2 ** 30) };
    api = await startTestApi({ env });
    tenantId = await api.makeTenant();
    admin = await api.token(tenantId, 'tenant_admin');
  });
  afterAll(async () => {
    await api.close();
    await s3?.close();
  });

  async function create(input: object = {}) {
    const answer = await api.query(admin, CREATE, {
      input: { title: 'A video', fileName: 'x.webm', contentType: 'video/webm', ...input },
    });
    expect(answer.errors).toEqual([]);
    return answer.data.createVideo;
  }

  async function look(id: string) {
    const answer = await api.query(admin, LOOK, { id });
    expect(answer.errors).toEqual([]);
    return answer.data.video;
  }

  async function original(id: string): Promise<string> {
    const { urls } = await look(id);
    const response = await fetch(urls.original, { headers: { connection: 'close' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/webm');
    return sha256(new Uint8Array(await response.arrayBuffer()));
  }

  const heldBy = async (videoId: string): Promise<string | null> =>
    (await api.superuser.query('select held_by from millrace.uploads where video_id = $1', [videoId])).rows[0]
      .held_by;

  /** A client of the protocol's makers. */
  function tusUpload(options: Partial<tus.UploadOptions>): Promise<void> {
    return new Promise((resolve, reject) => {
      const upload = new tus.Upload(file, {
        retryDelays: Array.from({ length: 60 }, () => 250),
        metadata: { filename: 'x.webm' },
        onSuccess: () => resolve(),
        onError: reject,
        ...options,
      });
      upload.start();
    });
  }

  it('goes on where the connection broke, through a restart, and ends where a put ends', async () => {
    const { video, resumableUpload } = await create();
    const begun = await begin(resumableUpload.url, file.length);
    expect(begun.status).toBe(201);
    const url = begun.headers.location as string;
    // A server that is slow to read may have nothing yet when the connection breaks; then it breaks once
    // more.
    const offset = await waitFor(
      async () => {
        const broken = openPatch(url, 0, file.length, file.subarray(0, half));
        await waitFor(() => heldBy(video.uuid), { describe: 'the first piece to be taken' });
        await new Promise((resolve) => broken.request.write('', resolve));
        broken.request.destroy();
        await broken.ended;
        const head = await send('HEAD', url);
        expect(head.status).toBe(200);
        expect(head.headers['upload-length']).toBe(String(file.length));
        return Number(head.headers['upload-offset']);
      },
      { describe: 'what came before the connection broke to be kept' },
    );
    expect(offset).toBeLessThanOrEqual(half);
    // Nothing of it is to be seen under the original's name.
    expect((await api.query(admin, COMPLETE, { id: video.id })).data.completeVideoUpload.code).toBe(
      'OBJECT_NOT_FOUND',
    );

    // Held open by a client while the server is asked to stop: what came is kept.
    const open = openPatch(url, offset, file.length - offset, file.subarray(offset, offset + MIB));
    await waitFor(() => heldBy(video.uuid), { describe: 'the second piece to be taken' });
    await api.restart();
    open.request.destroy();
    await open.ended;
    let requests = 0;
    await tusUpload({ uploadUrl: url, onBeforeRequest: () => void requests++ });
    expect(requests).toBeGreaterThan(1);

    const found = await look(video.id);
    expect(found).toMatchObject({ status: 'UPLOADED', sizeBytes: String(file.length) });
    expect(found.jobs).toMatchObject([{ definition: { key: 'transcode' }, createdBy: 'user:alice' }]);
    expect(await original(video.id)).toBe(sha256(file));
    // The client's own completion finds it done, and the upload reports that it has ended.
    const completed = await api.query(admin, COMPLETE, { id: video.id });
    expect(completed.data.completeVideoUpload).toMatchObject({
      isNew: false,
      job: { id: found.jobs[0].id },
    });
    expect((await send('HEAD', url)).headers['upload-offset']).toBe(String(file.length));
    expect((await send('DELETE', url)).status).toBe(409);
    expect((await begin(resumableUpload.url, 5)).error?.code).toBe('WrongState');
  });

  it('by tus-js-client, in small pieces, while the server restarts between two of them', async () => {
    const { video, resumableUpload } = await create();
    let pieces = 0;
    let restarting: Promise<void> | undefined;
    await tusUpload({
      endpoint: resumableUpload.url,
      chunkSize: Math.ceil(file.length / 6),
      onChunkComplete: () => {
        if (++pieces === 3) restarting = api.restart();
      },
    });
    await restarting;
    expect(pieces).toBeGreaterThanOrEqual(6);
    expect(await original(video.id)).toBe(sha256(file));
  });

  it('begins at one server and goes on at another, which takes it over from a holder that died', async () => {
    const { video, resumableUpload } = await create();
    const url = (await begin(resumableUpload.url, file.length)).headers.location as string;
    const other = await openServer({
      awaits: new AbortController().signal,
      config: loadConfig({
        PORT: '0',
        MILLRACE_JWT_SECRET: TEST_SECRET,
        MILLRACE_SIGNING_SECRET: TEST_SECRET,
        MILLRACE_STORAGE_DIR: api.storageDir,
        MILLRACE_LOG_LEVEL: 'silent',
        ...env,
      }),
      databaseUrl: api.databaseUrl,
      log: silentLog,
    });
    try {
      const there = url.replace(api.url, other.url);
      expect((await patch(url, 0, file.subarray(0, half))).status).toBe(204);
      // Going on there ends what is still open here.
      const open = openPatch(url, half, file.length - half, file.subarray(half, half + 1000));
      await waitFor(() => heldBy(video.uuid), { describe: 'a piece to be taken here' });
      expect((await patch(there, half, file.subarray(half))).error?.code).toBe('UploadLocked');
      const head = await send('HEAD', there);
      expect(head.status).toBe(200);
      open.request.destroy();
      const offset = Number(head.headers['upload-offset']);
      expect(offset).toBeGreaterThanOrEqual(half);
      await api.superuser.query(
        `update millrace.uploads set held_by = $2, held_until = now() + interval '1 second' where video_id = $1`,
        [video.uuid, randomUUID()],
      );
      expect((await send('HEAD', there)).headers['upload-offset']).toBe(String(offset));
      const last = await patch(there, offset, file.subarray(offset));
      expect(last).toMatchObject({ status: 204 });
      expect(last.headers['upload-offset']).toBe(String(file.length));
    } finally {
      await other.stop();
    }
    expect(await original(video.id)).toBe(sha256(file));
  });

  it('is found whole after a crash between its name and the record of it', async () => {
    const { video, resumableUpload } = await create();
    const bytes = file.subarray(0, 1000);
    const begun = await send(
      'POST',
      resumableUpload.url,
      { 'upload-length': '1000', 'content-type': 'application/offset+octet-stream' },
      bytes,
    );
    expect(begun.headers['upload-offset']).toBe('1000');
    await api.superuser.query(`update millrace.uploads set completed_at = null where video_id = $1`, [
      video.uuid,
    ]);
    const url = begun.headers.location as string;
    // A scanner was faster.
    expect((await send('HEAD', url)).headers['upload-offset']).toBe('1000');
    await api.superuser.query(`update millrace.uploads set completed_at = null where video_id = $1`, [
      video.uuid,
    ]);
    await api.superuser.query(`delete from millrace.jobs where subject_id = $1`, [video.uuid]);
    await api.superuser.query(`update millrace.videos set status = 'awaiting_upload' where id = $1`, [
      video.uuid,
    ]);
    expect((await send('HEAD', url)).headers['upload-offset']).toBe('1000');
    expect((await look(video.id)).jobs).toHaveLength(1);
    expect(await original(video.id)).toBe(sha256(bytes));
  });

  it('takes one piece at a time, from where it stands, and no more than was said', async () => {
    const { video, resumableUpload } = await create({ sizeBytes: '1000' });
    const refused = await begin(resumableUpload.url, 1001);
    expect(refused).toMatchObject({
      status: 413,
      error: { code: 'ObjectTooLarge', allowed: 'at most 1000 bytes' },
    });
    const first = await begin(resumableUpload.url, 1000, { 'upload-metadata': 'filename eC53ZWJt,plain' });
    const url = first.headers.location as string;
    const bytes = file.subarray(0, 1000);
    const open = openPatch(url, 0, 500, bytes.subarray(0, 100));
    await waitFor(() => heldBy(video.uuid), { describe: 'the piece to be taken' });
    const parallel = await patch(url, 0, bytes.subarray(0, 500));
    expect(parallel).toMatchObject({ status: 423, error: { code: 'UploadLocked' } });
    expect((await begin(resumableUpload.url, 1000)).status).toBe(423);
    open.request.end(bytes.subarray(100, 500));
    expect(await open.ended).toBe(204);

    expect(await patch(url, 400, bytes.subarray(400, 600))).toMatchObject({
      status: 409,
      error: { code: 'OffsetMismatch', field: 'upload-offset', allowed: '500' },
    });
    expect(await patch(url, 500, file.subarray(500, 1001))).toMatchObject({
      status: 413,
      error: { code: 'ObjectTooLarge', field: 'content-length', allowed: 'at most 500 bytes' },
    });
    const head = await send('HEAD', url);
    expect(head.headers).toMatchObject({
      'upload-offset': '500',
      'upload-metadata': 'filename eC53ZWJt,plain',
      'cache-control': 'no-store',
      'upload-expires': expect.stringMatching(/GMT$/),
    });
    // Begun again, the first one is gone.
    const second = (await begin(resumableUpload.url, 1000)).headers.location as string;
    expect((await send('HEAD', url)).status).toBe(404);
    const overridden = await send(
      'POST',
      second,
      { ...pieceHeaders(0), 'x-http-method-override': 'PATCH' },
      bytes,
    );
    expect(overridden.status).toBe(204);
    expect(await original(video.id)).toBe(sha256(bytes));
  });

  it('is given up by its client, or when its time is up; what has ended stays', async () => {
    const storage = await openStorage(loadConfig({ ...env, MILLRACE_STORAGE_DIR: api.storageDir }));
    const database = new Database({
      connectionString: api.databaseUrl,
      rolePrefix: 'millrace',
      maxConnections: 2,
      applicationName: 'test',
      preparedStatements: true,
      onError: () => undefined,
    });
    try {
      const [given, late, ended] = [await create(), await create(), await create()];
      const startOf = async ({ resumableUpload }: typeof given) =>
        (await begin(resumableUpload.url, 2000)).headers.location as string;
      const [givenUrl, lateUrl, endedUrl] = [await startOf(given), await startOf(late), await startOf(ended)];
      await patch(givenUrl, 0, file.subarray(0, 1000));
      await patch(lateUrl, 0, file.subarray(0, 1000));
      await patch(endedUrl, 0, file.subarray(0, 2000));
      expect((await send('DELETE', givenUrl)).status).toBe(204);
      expect((await send('HEAD', givenUrl)).status).toBe(404);
      await api.superuser.query(`update millrace.uploads set expires_at = now() - interval '1 s'`);
      expect((await patch(lateUrl, 1000, file.subarray(1000, 2000))).status).toBe(404);
      const { partials } = storage;
      const counts = await uploadsDuty({ database, partials, log: silentLog }).run(turn());
      expect(counts).toMatchObject({ uploads: expect.any(Number) });
      expect((await api.superuser.query('select from millrace.uploads')).rowCount).toBe(0);
      if (s3 === null) expect(await readdir(join(api.storageDir, '.uploads'))).toEqual([]);
      else expect(await unfinishedUploads(s3)).toBe(0);
      for await (const { key } of storage.store.list('uploads/')) expect(key).toBe('nothing');
      expect(await original(ended.video.id)).toBe(sha256(file.subarray(0, 2000)));
      expect(await storage.store.stat(originalKey(late.video.uuid, 'x.webm'))).toBeNull();
    } finally {
      await database.close();
      storage.store.close?.();
      storage.partials.close?.();
    }
  });

  it('is open to a holder of its signed URL, and to nobody else', async () => {
    const { video, upload, resumableUpload } = await create({ sizeBytes: String(6 * 2 ** 30) });
    expect(resumableUpload.maxSizeBytes).toBe(String(6 * 2 ** 30));
    // More than a bucket takes in one request goes up in pieces.
    expect(upload.maxSizeBytes).toBe(String((s3 === null ? 6 : 5) * 2 ** 30));
    const url = (await begin(resumableUpload.url, 1000)).headers.location as string;
    const sign = (secret: string, nowMs: number) =>
      createUploadUrls({
        baseUrl: `${api.url}/uploads`,
        secrets: [new TextEncoder().encode(secret)],
        nowMs: () => nowMs,
      });
    const grant = {
      action: 'begin',
      key: originalKey(video.uuid),
      maxSizeBytes: 1,
      contentType: null,
    } as const;
    const forged = sign('another-secret-of-enough-characters', Date.now()).sign(grant, 60).url;
    const expired = sign(TEST_SECRET, Date.now() - 3_600_000).sign(grant, 60).url;
    const bodyOfToken = Buffer.from(url.split('/').at(-1)?.split('.')[0] ?? '', 'base64url').toString();
    const tampered = url.replace(
      /[^/]+$/,
      `${Buffer.from(bodyOfToken.replace(/"i":"[^"]+"/, `"i":"${randomUUID()}"`)).toString('base64url')}.${url.split('.').at(-1)}`,
    );
    for (const [method, target, reason] of [
      ['POST', forged, 'badSignature'],
      ['POST', expired, 'expired'],
      ['POST', url, 'wrongAction'],
      ['PATCH', tampered, 'badSignature'],
      ['PATCH', resumableUpload.url, 'wrongAction'],
      ['DELETE', upload.url.replace(/.*\/files\/([^/]+)\/.*|.*/, `${api.url}/uploads/$1x`), null],
    ] as const) {
      const { status, error, headers } = await send(method, target, { 'upload-length': '1' });
      expect(status, `${method} ${target}`).toBe(403);
      expect(error?.code).toBe('InvalidSignature');
      expect(headers['tus-resumable']).toBe('1.0.0');
      if (reason !== null) expect(error).toMatchObject({ reason });
    }
    expect((await send('PATCH', url, { 'tus-resumable': '0.2.2' })).status).toBe(412);
    expect((await send('PATCH', url, { 'content-type': 'text/plain', 'upload-offset': '0' })).status).toBe(
      415,
    );
    expect(await send('POST', resumableUpload.url)).toMatchObject({
      status: 400,
      error: { code: 'InvalidArgument', field: 'upload-length' },
    });
    expect((await send('PATCH', url, { ...pieceHeaders(0), 'upload-offset': '-1' })).status).toBe(400);
  });

  it('may come from any page', async () => {
    const { resumableUpload } = await create();
    const origin = { origin: 'https://page.example' };
    const preflight = await send('OPTIONS', resumableUpload.url, {
      ...origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'tus-resumable,upload-offset,content-type',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,expiration,termination',
      'tus-max-size': String(6 * 2 ** 30),
    });
    const begun = await begin(resumableUpload.url, 10, origin);
    const exposed = begun.headers['access-control-expose-headers'];
    for (const name of ['location', 'upload-offset', 'upload-length', 'tus-resumable', 'upload-expires'])
      expect(exposed).toContain(name);
    expect(begun.headers['access-control-allow-origin']).toBe('*');
  });
});
