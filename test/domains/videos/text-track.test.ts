import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUrlSigner } from '../../../src/storage/url-signer.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../../support/api.ts';
import { openBrowser } from '../../support/browser.ts';

const TEXTS = [
  'Build your own mill',
  'Fish & Chips <b>now</b> &amp; --> later',
  'Two\n\nlines\r\nand a tab\t.',
  'Müller — Émile 🎬 会議',
  '  WEBVTT NOTE STYLE  ',
];
const COUNT = 1203;

let api: TestApi;
let tenantId: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
});
afterAll(() => api.close());

async function makeVideo(status = 'ready', size: number | null = 1920): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status, duration_ms, width_px, height_px)
     values ($1, 'v', 'k', $2, 7200000, $3::integer, $3::integer / 2) returning id`,
    [tenantId, status, size],
  );
  return rows[0].id;
}

/** Several begin at the same time, one ends where it begins, and one stands outside of the picture. */
async function addTexts(videoId: string, count: number, textSql = '($3::text[])[1 + n % 5]'): Promise<void> {
  await api.superuser.query(
    `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box)
     select $1, $2, 0, 3000 * (n / 2), 3000 * (n / 2) + n % 3 * 500, ${textSql}, '', '', 0.5, 'eng',
       jsonb_build_object('x', n % 2000, 'y', 96 + n % 2, 'width', 300, 'height', 40)
     from generate_series(0, $4::integer - 1) n where $3::text[] is not null`,
    [tenantId, videoId, TEXTS, count],
  );
}

async function trackOf(videoId: string, token = member) {
  const answer = await api.query(
    token,
    'query ($id: ID!) { video(id: $id) { textTrack { url expiresAt } } }',
    { id: videoId },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.video.textTrack as { readonly url: string; readonly expiresAt: string } | null;
}

const get = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { ...init, headers: { connection: 'close' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the track of a video’s texts', () => {
  it('is read by a browser’s own track of a page of another origin, each cue as its segment', async () => {
    const videoId = await makeVideo();
    await addTexts(videoId, COUNT);
    const { url = '' } = (await trackOf(videoId)) ?? {};
    const { rows } = await api.superuser.query(
      'select id, t_start, t_end, text, bounding_box from millrace.segments where video_id = $1 order by t_start, id',
      [videoId],
    );
    const cues = await cuesInBrowser(url);
    expect(cues).toHaveLength(COUNT);
    // A browser puts those that begin at the same time into an order of its own.
    const byId = new Map(cues.map((cue) => [cue['id'], cue]));
    for (const { id, t_start, t_end, text, bounding_box } of rows)
      expect(byId.get(id)).toEqual({
        id,
        startMs: Number(t_start),
        endMs: Math.max(Number(t_end), Number(t_start) + 1),
        text: text.replace(/\s+/g, ' ').trim(),
        line: Math.round((10_000 * bounding_box.y) / 960) / 100,
        position: Math.min(100, Math.round((10_000 * bounding_box.x) / 1920) / 100),
        align: 'start',
      });
  });

  it('has the type of WebVTT, may be used from every origin, and stays under one URL', async () => {
    const videoId = await makeVideo('transcoded', null);
    const empty = await trackOf(videoId);
    expect(await trackOf(videoId)).toEqual(empty);
    const before = await get(empty?.url ?? '');
    expect([before.status, before.text]).toEqual([200, 'WEBVTT\n\n']);
    expect(before.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    expect(before.headers.get('access-control-allow-origin')).toBe('*');
    expect(before.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    await addTexts(videoId, 1);
    // Without the size of its pictures nothing has a place.
    const after = await get(empty?.url ?? '');
    expect(after.text).toMatch(
      /^WEBVTT\n\n[0-9a-f-]{36}\n00:00:00\.000 --> 00:00:00\.001\nBuild your own mill\n\n$/,
    );
    const head = await get(empty?.url ?? '', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    expect(await trackOf(await makeVideo('awaiting_upload'))).toBeNull();
  });

  it('is refused with a URL that has expired, was signed by somebody else or is for another video', async () => {
    const videoId = await makeVideo();
    const owner = { tenantId, videoId };
    const signed = (secret: string, nowMs: number, of = owner) =>
      createUrlSigner({
        baseUrl: `${api.url}/files`,
        secrets: [new TextEncoder().encode(secret)],
        nowMs: () => nowMs,
      }).getTextTrack(of, { expiresInSeconds: 60 });
    const { url } = await signed(TEST_SECRET, Date.now());
    expect((await get(url)).status).toBe(200);
    expect((await get(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    const other = await makeVideo();
    const refused = [
      (await signed(TEST_SECRET, Date.now() - 120_000)).url,
      (await signed('another secret that is long enough', Date.now())).url,
      url.replace(videoId, other),
    ];
    for (const one of refused) {
      const { status, text } = await get(one);
      expect([status, JSON.parse(text).error.code]).toEqual([403, 'InvalidSignature']);
    }
    // A video of another tenant, and one that is gone.
    const elsewhere = await signed(TEST_SECRET, Date.now(), { videoId, tenantId: await api.makeTenant() });
    expect((await get(elsewhere.url)).status).toBe(404);
    await api.superuser.query('delete from millrace.videos where id = $1', [videoId]);
    expect((await get(url)).status).toBe(404);
  });

  it('needs the scope of videos, as segments do', async () => {
    const videoId = await makeVideo();
    const admin = await api.token(tenantId, 'tenant_admin');
    const shown = async (scope: string): Promise<string> => {
      const made = await api.query(
        admin,
        `mutation { createApiKey(input: { name: "k", role: MEMBER, scopes: [${scope}] }) { ... on CreateApiKeyPayload { secret } } }`,
      );
      const document = 'query ($id: ID!) { video(id: $id) { textTrack { url } } }';
      return JSON.stringify(await api.query(made.data.createApiKey.secret, document, { id: videoId }));
    };
    expect(await shown('VIDEOS_READ')).toContain('.vtt');
    const refused = await shown('JOBS_READ');
    expect(refused).not.toContain('.vtt');
    expect(refused).toContain('VIDEOS_READ');
  });

  it('is read from the database as the client takes it', async () => {
    const videoId = await makeVideo();
    // What keeps the index of the search takes a minute for these rows.
    await api.superuser.query('set session_replication_role = replica');
    await addTexts(videoId, 50_000, `repeat('mill ', 100)`);
    await api.superuser.query('reset session_replication_role');
    const { url = '' } = (await trackOf(videoId)) ?? {};
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(url, { agent: false }, resolve).on('error', reject);
    });
    // Nothing of 30 MB is taken yet but what the sockets hold: a text that comes now at the end is still in
    // the answer.
    await api.superuser.query(
      `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box)
       values ($1, $2, 0, 90000000, 90000500, 'the latest', '', '', 0.5, 'eng', '{}')`,
      [tenantId, videoId],
    );
    const text = await textOf(response);
    expect(text.split(' --> ').length - 1).toBe(50_001);
    expect(text.endsWith('25:00:00.000 --> 25:00:00.500\nthe latest\n\n')).toBe(true);
  });
});

/** Loads a track as pages do, from a page of another origin. */
async function cuesInBrowser(url: string): Promise<readonly Record<string, unknown>[]> {
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><video crossorigin="anonymous"></video>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    return await page.evaluate(`new Promise((resolve, reject) => {
      const track = document.createElement('track');
      Object.assign(track, { kind: 'subtitles', srclang: 'en', default: true, src: ${JSON.stringify(url)} });
      track.onerror = () => reject(new Error('the track was not loaded'));
      track.onload = () => resolve([...track.track.cues].map((cue) => ({
        id: cue.id, startMs: Math.round(1000 * cue.startTime), endMs: Math.round(1000 * cue.endTime),
        text: cue.getCueAsHTML().textContent, line: cue.line, position: cue.position, align: cue.align,
      })));
      document.querySelector('video').append(track);
      track.track.mode = 'showing';
    })`);
  } finally {
    await browser.close();
    pages.closeAllConnections();
    await new Promise((resolve) => pages.close(resolve));
  }
}
