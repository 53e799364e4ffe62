import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { createUrlSigner } from '../../src/storage/url-signer.ts';
import {
  clipKey,
  frameKey,
  originalKey,
  playlistKey,
  posterKey,
  proxyPrefix,
} from '../../src/storage/video-keys.ts';
import { bytes } from '../storage/stores.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { SAMPLE_PATH } from '../support/media.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { waitFor } from '../support/wait.ts';

const LENGTH_SECONDS = 3 * 3600;
const PLAYLIST = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.000000,\nsegment_r1_0.ts\n#EXT-X-ENDLIST\n`;

let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3();
});
afterAll(() => s3.close());

describe.each(['local', 's3'] as const)('with files on %s storage, signed URLs', (kind) => {
  let api: TestApi;
  let member: string;
  let videoId: string;

  beforeAll(async () => {
    api = await startTestApi({ env: { ...(kind === 's3' && s3.env), MILLRACE_SIGNED_URL_SECONDS: '3600' } });
    const tenantId = await api.makeTenant();
    member = await api.token(tenantId, 'member');
    const { rows } = await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, status, original_key, duration_ms)
       values ($1, 'Über "alles": 会議', 'ready', 'x', $2) returning id`,
      [tenantId, LENGTH_SECONDS * 1000],
    );
    videoId = rows[0].id;
    await api.superuser.query(
      `update millrace.videos set original_key = $2, proxy_key = $3, thumb_key = $4 where id = $1`,
      [videoId, originalKey(videoId), playlistKey(videoId), posterKey(videoId)],
    );
    const clip = await api.superuser.query(
      `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, status, expires_at)
       values ($1, $2, 1500, 62750, 0, 'queued', null) returning id`,
      [tenantId, videoId],
    );
    const clipId = clip.rows[0].id;
    await api.superuser.query(
      `update millrace.clips set status = 'ready', object_key = $2, start_ms = 1500, end_ms = 62750, size_bytes = 1,
       sha256 = repeat('0', 64), width_px = 2, height_px = 2 where id = $1`,
      [clipId, clipKey(videoId, clipId)],
    );
    await api.superuser.query(
      `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box, words)
       values ($1, $2, 1000, 1000, 2000, 'water wheel', 'water wheel', repeat('0', 64), 0.9, 'eng', '{"x":0,"y":0,"width":1,"height":1}', '[]')`,
      [tenantId, videoId],
    );
    const store = kind === 's3' ? createS3Store(s3.settings) : await openLocalStore(api.storageDir);
    await store.put(originalKey(videoId), { path: SAMPLE_PATH });
    await store.put(clipKey(videoId, clipId), { path: SAMPLE_PATH });
    await store.put(playlistKey(videoId), bytes(PLAYLIST));
    await store.put(`${proxyPrefix(videoId)}segment_r1_0.ts`, bytes('segment'));
    await store.put(posterKey(videoId), bytes('poster'));
    await store.put(frameKey(videoId, 1000), bytes('frame'));
    store.close?.();
  });
  afterAll(() => api.close());

  async function ask() {
    const answer = await api.query(
      member,
      `query ($id: ID!) { video(id: $id) { urls { original playlist poster expiresAt }
         clips { nodes { url urlExpiresAt preview { playlistUrl expiresAt } } }
         segments { nodes { thumbnailUrl } } } }`,
      { id: videoId },
    );
    expect(answer.errors).toEqual([]);
    return answer.data.video;
  }

  const second = () => Math.floor(Date.now() / 1000);
  const get = async (url: string, given: Record<string, string> = {}) => {
    const response = await fetch(url, { redirect: 'manual', headers: { connection: 'close', ...given } });
    const { status, headers } = response;
    // Read to its end: else its connection stays.
    return { status, headers, text: await response.text() };
  };

  it('are the same in every answer while they are good, and so is what an answer over them says', async () => {
    // Each of the five may reach the end of its window just now, but not all of them in each of three turns.
    for (let turn = 1; ; turn++) {
      const before = await ask();
      const at = second();
      await waitFor(() => second() > at + 1, { describe: 'another second' });
      const after = await ask();
      if (turn < 3 && JSON.stringify(after) !== JSON.stringify(before)) continue;
      expect(after).toEqual(before);
      break;
    }
  });

  it('of what is played last until its end is played, when they are opened at the last moment', async () => {
    const { urls, clips } = await ask();
    const openedMs = Date.parse(urls.expiresAt);
    expect(openedMs).toBeLessThanOrEqual(Date.now() + 3_600_000);
    const { preview } = clips.nodes[0];
    const endOf = (url: string): number => {
      const query = new URL(url).searchParams;
      const signed = query.get('X-Amz-Date')?.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
      if (signed != null) return Date.parse(signed) + 1000 * Number(query.get('X-Amz-Expires'));
      const [, token = '', key = ''] = /\/files\/([^/]+)\/(.+)$/.exec(url) ?? [];
      const verdict = createUrlSigner({
        baseUrl: '',
        secrets: [new TextEncoder().encode(TEST_SECRET)],
      }).verify(token, { action: 'get', key });
      return verdict.ok ? verdict.expiresAt.getTime() : 0;
    };
    for (const url of [urls.original, urls.playlist])
      expect(endOf(url)).toBeGreaterThanOrEqual(openedMs + 1000 * LENGTH_SECONDS);
    // Its segments have their URLs from when it is opened.
    const part = await get(preview.playlistUrl);
    const segment = part.text.split('\n').find((line) => line.startsWith('http')) ?? '';
    expect(endOf(segment)).toBeGreaterThanOrEqual(Date.now() + 61_250);
    expect((await get(segment)).status).toBe(200);
    expect(endOf(clips.nodes[0].url)).toBeGreaterThanOrEqual(
      Date.parse(clips.nodes[0].urlExpiresAt) + 61_250,
    );
  });

  it('say how long what they lead to may be kept', async () => {
    const { urls, segments } = await ask();
    const cacheOf = async (url: string): Promise<string | null> => {
      const inUrl = new URL(url).searchParams.get('response-cache-control');
      return inUrl ?? (await get(url)).headers.get('cache-control');
    };
    expect(await cacheOf(urls.playlist)).toBe('private, no-cache');
    expect(await cacheOf(urls.poster)).toBe('private, max-age=300');
    expect(await cacheOf(segments.nodes[0].thumbnailUrl)).toBe('private, max-age=300');
    const ofSegment = (await get(new URL('segment_r1_0.ts', urls.playlist).href)).headers;
    expect(ofSegment.get('cache-control')).toMatch(
      kind === 's3' ? /^private, max-age=\d{4}$/ : /^private, max-age=\d{5}, immutable$/,
    );
    if (kind === 's3') {
      const again = await get(new URL('segment_r1_0.ts', urls.playlist).href);
      expect(again.headers.get('location')).toBe(ofSegment.get('location'));
      return;
    }
    const etag = (await get(urls.poster)).headers.get('etag') ?? '';
    expect((await get(urls.poster, { 'if-none-match': etag })).status).toBe(304);
  });

  it('give a download the name of the video, in both forms of RFC 6266', async () => {
    const { urls, clips } = await ask();
    const dispositionOf = async (url: string) =>
      new URL(url).searchParams.get('response-content-disposition') ??
      (await get(url)).headers.get('content-disposition');
    expect(await dispositionOf(urls.original)).toBe(
      `inline; filename="Uber alles __.mp4"; filename*=UTF-8''%C3%9Cber%20alles%20%E4%BC%9A%E8%AD%B0.mp4`,
    );
    expect(await dispositionOf(clips.nodes[0].url)).toContain('00.00.01.500-00.01.02.750.mp4"');
  });

  it('of a clip and of an original play in a tab of a browser', async () => {
    const { urls, clips } = await ask();
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      for (const url of [clips.nodes[0].url, urls.original]) {
        await page.goto(url);
        await page
          .waitForFunction('document.querySelector("video")?.readyState >= 2')
          .catch((error: Error) => {
            throw new Error(`${error.message}: ${complaints.join('; ')}`);
          });
        expect(await page.evaluate('document.querySelector("video").videoWidth')).toBeGreaterThan(100);
      }
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('never let a page that was uploaded as a video do anything', async () => {
    const { urls } = await ask();
    if (kind === 's3') return;
    const policy = (await get(urls.original)).headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox /);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
    expect(policy).toContain("default-src 'none'");
  });
});
