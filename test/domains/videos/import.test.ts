import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { registrations } from '../../../workers/handlers/videos/registration.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../../support/api.ts';
import { restClient } from '../../support/rest.ts';
import { waitFor } from '../../support/wait.ts';

const MAX_UPLOAD_BYTES = 4_000_000;
const FILE = randomBytes(3_000_000);
const SIGNATURE = 'sig-of-a-link-that-is-nobodys';

let api: TestApi;
let files: Server;
let worker: Awaited<ReturnType<typeof openWorker>>;
let tenantId: string;
let admin: string;
let isBroken = false;
let asked = 0;

beforeAll(async () => {
  files = createServer(answer);
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const env = {
    MILLRACE_MAX_UPLOAD_BYTES: `${MAX_UPLOAD_BYTES}`,
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.1',
    MILLRACE_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  api = await startTestApi({ env });
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin', { subject: 'bob' });
  const config = loadConfig({
    MILLRACE_JWT_SECRET: TEST_SECRET,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_LOG_LEVEL: 'silent',
    MILLRACE_JOB_LOG_LEVEL: 'info',
    ...env,
  });
  worker = await openWorker({
    awaits: new AbortController().signal,
    config,
    databaseUrl: api.databaseUrl,
    // What comes after the file is there is others' work.
    registrations: registrations(config).filter(({ definition }) => definition.key === 'fetch_original'),
  });
});
afterAll(async () => {
  await worker.stop(0);
  await api.close();
  files.closeAllConnections();
  await new Promise((resolve) => files.close(resolve));
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  if (pathname.startsWith('/signed/') && searchParams.get('sig') !== SIGNATURE)
    return void response.writeHead(403).end();
  asked += 1;
  const headers = { 'content-type': 'video/webm', etag: '"v1"' };
  switch (pathname) {
    case '/signed/A%20talk.webm': {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`;
      const length = { 'content-length': FILE.length - from };
      response.writeHead(from > 0 ? 206 : 200, { ...headers, ...length, 'content-range': range });
      if (from > 0) response.end(FILE.subarray(from));
      else response.write(FILE.subarray(0, 1_000_000), () => response.destroy());
      return;
    }
    case '/large.mp4':
      return void response.writeHead(200, { ...headers, 'content-length': MAX_UPLOAD_BYTES + 1 }).write('x');
    case '/endless.mp4':
      response.writeHead(200, headers);
      response.on('drain', () => response.write(FILE));
      return void response.write(FILE);
    case '/page':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no film</p>');
    case '/empty.mp4':
      return void response.writeHead(200, { ...headers, 'content-length': 0 }).end();
    case '/repaired.mp4':
      if (isBroken) return void response.writeHead(404).end();
      return void response.writeHead(200, headers).end('film');
    default:
      return void response.writeHead(404).end();
  }
}

const at = (path: string) => `http://127.0.0.1:${(files.address() as AddressInfo).port}${path}`;

async function importFrom(url: string, more = '') {
  const { data, errors } = await api.query(
    admin,
    `mutation ($url: String!) { importVideo(input: { url: $url ${more} }) {
       ... on ImportVideoPayload { isNew video { uuid title status } job { uuid payload definition { key } } }
       ... on DomainFailure { code message field allowed } } }`,
    { url },
  );
  expect(errors).toEqual([]);
  return data.importVideo;
}

async function videoOf(uuid: string) {
  const { rows } = await api.superuser.query(
    `select v.*, (select json_agg(json_build_object('id', j.id, 'key', d.key, 'status', j.status, 'payload', j.payload, 'by', j.created_by) order by j.id)
       from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where j.subject_id = v.id::text) as jobs
     from millrace.videos v where v.id = $1`,
    [uuid],
  );
  return rows[0];
}

const moved = (uuid: string, status: string) =>
  waitFor(
    async () => {
      const video = await videoOf(uuid);
      return video.status === status ? video : null;
    },
    { describe: `the video to be ${status}` },
  );

describe('a video that is imported', () => {
  it('is fetched from where it lies, across a broken connection, and its pipeline begins', async () => {
    const url = at(`/signed/A%20talk.webm?sig=${SIGNATURE}`);
    const made = await importFrom(url, ', languages: ["deu"], processing: { targetFps: 2 }');
    expect(made).toMatchObject({
      isNew: true,
      video: { title: 'A talk', status: 'AWAITING_UPLOAD' },
      job: { definition: { key: 'fetch_original' } },
    });
    const video = await moved(made.video.uuid, 'uploaded');
    expect(video).toMatchObject({
      size_bytes: `${FILE.length}`,
      content_type: 'video/webm',
      original_key: `videos/original/${video.id}/master.webm`,
      owner_id: 'user:bob',
      error: null,
    });
    const stored = await readFile(join(api.storageDir, video.original_key));
    expect(createHash('sha256').update(stored).digest('hex')).toBe(
      createHash('sha256').update(FILE).digest('hex'),
    );
    expect(video.jobs.map(({ key }: { key: string }) => key)).toEqual(['fetch_original', 'transcode']);
    expect(video.jobs[1]).toMatchObject({
      status: 'queued',
      by: 'user:bob',
      payload: { s3_original_path: video.original_key, languages: ['deu'], target_fps: 2 },
    });
  });

  it('keeps its address to itself: in the database, in answers and in the log', async () => {
    const made = await importFrom(at(`/signed/A%20talk.webm?sig=${SIGNATURE}`));
    expect(JSON.stringify(made)).not.toContain(SIGNATURE);
    expect(made.job.payload.url).toBe('•••');
    const video = await moved(made.video.uuid, 'uploaded');
    expect(JSON.stringify(video)).not.toContain(SIGNATURE);
    const { data } = await api.query(
      admin,
      `{ job(id: "${made.job.uuid}") { payload result log(first: 50) { nodes { message data } } } }`,
    );
    const log = JSON.stringify(data.job.log);
    expect(log).toContain('The connection broke');
    expect(log).not.toContain(SIGNATURE);
  });

  it.each([
    ['/large.mp4', 'ObjectTooLarge'],
    ['/endless.mp4', 'ObjectTooLarge'],
    ['/page', 'ContentTypeRefused'],
    ['/empty.mp4', 'InvalidArgument'],
    ['/signed/other.mp4?sig=expired', 'SourceRefused'],
  ])('fails at once with the reason where %s is no file to take, and leaves nothing', async (path, type) => {
    const before = asked;
    const made = await importFrom(at(path));
    const video = await moved(made.video.uuid, 'failed');
    expect(video.error).toMatchObject({ type, message: expect.not.stringContaining('expired') });
    expect(video.jobs).toMatchObject([{ status: 'failed' }]);
    expect(asked - before).toBeLessThanOrEqual(1);
    await expect(readFile(join(api.storageDir, video.original_key))).rejects.toThrow('ENOENT');
  });

  it('is fetched again when its job is retried, and awaits its file meanwhile', async () => {
    isBroken = true;
    const made = await importFrom(at('/repaired.mp4'), ', title: "Later"');
    const failed = await moved(made.video.uuid, 'failed');
    expect(failed.error).toMatchObject({ type: 'SourceRefused', message: expect.stringContaining('404') });
    isBroken = false;
    const retried = await api.query(
      admin,
      `mutation { retryJob(input: { id: "${made.job.uuid}" }) { __typename ... on DomainFailure { code message } } }`,
    );
    expect(retried.data.retryJob.code, JSON.stringify(retried)).toBeUndefined();
    expect(await moved(made.video.uuid, 'uploaded')).toMatchObject({ title: 'Later', error: null });
  });

  it('is refused beforehand where its address may not be asked, or nothing is left for it', async () => {
    for (const [url, allowed] of [
      ['http://10.0.0.1/a.mp4?sig=hidden', 'not a public address'],
      ['ftp://example.com/a.mp4', 'http:// or https:// URL'],
      ['https://user:secret@example.com/a.mp4', 'user name or a password'],
      ['talk.mp4', 'http:// or https:// URL'],
    ] as const) {
      const refused = await importFrom(url);
      expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.url' });
      expect(refused.allowed).toContain(allowed);
      expect(refused.message).not.toContain('hidden');
    }
    const full = await api.makeTenant();
    await api.superuser.query('update millrace.tenants set max_stored_bytes = 1 where id = $1', [full]);
    const rest = restClient(api.url, await api.token(full, 'tenant_admin'));
    expect(await rest.post('/videos', { title: 'The last', size_bytes: 1 })).toMatchObject({ status: 201 });
    const answer = await rest.post('/videos/import', { url: at('/repaired.mp4') });
    expect(answer).toMatchObject({ status: 413, body: { code: 'QUOTA_EXCEEDED' } });
    const { rows } = await api.superuser.query('select title from millrace.videos where tenant_id = $1', [
      full,
    ]);
    expect(rows).toEqual([{ title: 'The last' }]);
  });

  it('fails when less is left than the file has, before it is fetched', async () => {
    const small = await api.makeTenant();
    await api.superuser.query('update millrace.tenants set max_stored_bytes = 1000 where id = $1', [small]);
    const rest = restClient(api.url, await api.token(small, 'tenant_admin'));
    const { status, body } = await rest.post('/videos/import', {
      url: at(`/signed/A%20talk.webm?sig=${SIGNATURE}`),
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await moved(body.id, 'failed')).error).toMatchObject({ type: 'QuotaExceeded' });
  });
});
