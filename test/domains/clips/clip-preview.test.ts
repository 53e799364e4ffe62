import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalStore } from '../../../src/storage/local-store.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import { pipelineLogKey } from '../../../src/storage/pipeline-log-key.ts';
import { createS3Store } from '../../../src/storage/s3/s3-store.ts';
import { playlistKey, proxyPrefix } from '../../../src/storage/video-keys.ts';
import { bytes } from '../../storage/stores.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startTestS3, type TestS3 } from '../../support/s3-server.ts';

let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3();
});
afterAll(() => s3.close());

const HEAD = '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n';
const segments = (from: number, to: number, name = 'segment_r1') =>
  Array.from({ length: to - from }, (_, n) => `#EXTINF:4.000000,\n${name}_${from + n}.ts\n`).join('');
const END = '#EXT-X-ENDLIST\n';

describe.each(['local', 's3'] as const)('with files on %s storage', (kind) => {
  let api: TestApi;
  let store: ObjectStore;
  let tenantId: string;
  let member: string;

  beforeAll(async () => {
    api = await startTestApi({ env: kind === 's3' ? s3.env : {} });
    store = kind === 's3' ? createS3Store(s3.settings) : await openLocalStore(api.storageDir);
    tenantId = await api.makeTenant();
    member = await api.token(tenantId, 'member');
  });
  afterAll(async () => {
    store.close?.();
    await api.close();
  });

  /** A video of 40 s with this playlist, and one more of its files beside it. */
  async function makeVideo(
    playlist: string | null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { rows } = await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, status, original_key, duration_ms)
       values ($1, 'A talk', 'transcoded', 'videos/original/x', 40000) returning id`,
      [tenantId],
    );
    const { id } = rows[0];
    const files = { ...(playlist !== null && { 'index.m3u8': playlist }), ...more };
    for (const [name, text] of Object.entries(files)) await store.put(proxyPrefix(id) + name, bytes(text));
    if (playlist !== null)
      await api.superuser.query('update millrace.videos set proxy_key = $2 where id = $1', [
        id,
        playlistKey(id),
      ]);
    return id;
  }

  async function previewOf(
    videoId: string,
    range: object = { startMs: 13_500, endMs: 17_000, paddingMs: 500 },
  ) {
    const answer = await api.query(
      member,
      `mutation ($input: RequestClipInput!) { requestClip(input: $input) { ... on RequestClipPayload { job { uuid }
         clip { status preview { playlistUrl startMs endMs expiresAt } } } ... on DomainFailure { message } } }`,
      { input: { videoId, ...range } },
    );
    expect(answer.errors).toEqual([]);
    const { clip, job } = answer.data.requestClip;
    expect(clip.status).toBe('QUEUED');
    return { ...clip.preview, jobId: job.uuid };
  }

  const get = (url: string) => fetch(url, { headers: { connection: 'close' } });

  it('a clip that waits for its worker can be watched: the segments of its range, and nothing else of the video', async () => {
    const videoId = await makeVideo(HEAD + segments(0, 10) + END, {
      'segment_r1_3.ts': 'three',
      'segment_r1_4.ts': 'four',
    });
    const preview = await previewOf(videoId);
    expect(preview).toMatchObject({ startMs: 13_000, endMs: 17_500 });
    expect(Date.parse(preview.expiresAt)).toBeGreaterThan(Date.now());
    const answer = await get(preview.playlistUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const lines = (await answer.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '#EXT-X-PLAYLIST-TYPE:VOD',
        '#EXT-X-START:TIME-OFFSET=1.000,PRECISE=YES',
        '#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:12.000Z',
        '#EXT-X-ENDLIST',
      ]),
    );
    const urls = lines.filter((line) => line.startsWith('http'));
    expect(await Promise.all(urls.map(async (url) => (await get(url)).text()))).toEqual(['three', 'four']);
    if (kind === 's3') for (const url of urls) expect(url).toContain(`${s3.endpoint}/${s3.bucket}/`);
    // What the address says of the range is signed; that of the playlist opens nothing beside it.
    const below = preview.playlistUrl.slice(0, -'index.m3u8'.length);
    expect((await get(`${below}segment_r1_3.ts`)).status).toBe(403);
    if (kind === 'local')
      expect((await get((urls[0] ?? '').replace('segment_r1_3', 'segment_r1_4'))).status).toBe(403);
  });

  it('of several renditions it shows the best', async () => {
    const variant = (bandwidth: number, name: string) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=16x16\n${name}\n`;
    const videoId = await makeVideo(`#EXTM3U\n${variant(500, 'low.m3u8')}${variant(900, 'high.m3u8')}`, {
      'low.m3u8': HEAD + segments(0, 10, 'low') + END,
      'high.m3u8': HEAD + segments(0, 10, 'high') + END,
    });
    const text = await (await get((await previewOf(videoId)).playlistUrl)).text();
    expect(text).toContain('high_3.ts');
    expect(text).not.toContain('low');
  });

  it('of a stream that still grows it shows what there is, and is to be asked again', async () => {
    const videoId = await makeVideo(HEAD + segments(0, 4));
    const { playlistUrl } = await previewOf(videoId);
    const growing = await get(playlistUrl);
    expect(growing.headers.get('cache-control')).toBe('no-store');
    const text = await growing.text();
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(text).toContain('segment_r1_3.ts');
    expect(text).not.toContain('#EXT-X-ENDLIST');
    const later = await get((await previewOf(videoId, { startMs: 30_000, endMs: 31_000 })).playlistUrl);
    expect([later.status, later.headers.get('retry-after')]).toEqual([404, '2']);
    await store.put(playlistKey(videoId), bytes(HEAD + segments(0, 5)));
    // All of the range is there, though not of the video.
    expect(await (await get(playlistUrl)).text()).toContain('#EXT-X-ENDLIST');
  });

  it('where the video has no stream yet there is none', async () => {
    expect((await previewOf(await makeVideo(null))).playlistUrl).toBeUndefined();
  });

  it('the log file of its job is for tenant admins, once there is one', async () => {
    const { jobId } = await previewOf(await makeVideo(null));
    const ask = (token: string) =>
      api.query(token, 'query ($id: ID!) { job(id: $id) { logFile { url expiresAt } } }', { id: jobId });
    const admin = await api.token(tenantId, 'tenant_admin');
    await store.put(pipelineLogKey(jobId), bytes('{"job_id":1}'));
    // Nothing has run yet.
    expect((await ask(admin)).data.job.logFile).toBeNull();
    await api.superuser.query(
      `update millrace.jobs set status = 'running', run_no = 1, lease_token = uuidv7(), lease_expires_at = now() where id = $1`,
      [jobId],
    );
    const { url } = (await ask(admin)).data.job.logFile;
    expect(await (await get(url)).text()).toBe('{"job_id":1}');
    const refused = await ask(member);
    expect(refused.data.job.logFile).toBeNull();
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
    await store.delete(pipelineLogKey(jobId));
    expect((await ask(admin)).data.job.logFile).toBeNull();
  });
});
