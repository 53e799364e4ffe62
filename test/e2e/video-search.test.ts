import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { forensicsSample, makeMedia } from '../support/media.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';
import { type Platform, startPlatform } from './platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

interface Pipeline {
  readonly percent: number;
  readonly etaSeconds: number | null;
  readonly stage: string | null;
  readonly stages: readonly {
    readonly stage: string;
    readonly status: string;
    readonly percent: number | null;
  }[];
}
interface Seen {
  readonly status: string;
  readonly error: string | null;
  readonly pipeline: Pipeline | null;
}
interface Hit {
  readonly segment: {
    readonly uuid: string;
    readonly text: string;
    readonly startMs: number;
    readonly endMs: number;
    readonly thumbnailUrl: string;
    readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  };
  readonly highlights: readonly { readonly text: string }[];
}

async function search(query: string): Promise<readonly Hit[]> {
  const { searchVideos } = await platform.api<{
    searchVideos: { edges: { hits: readonly Hit[] }[] };
  }>(
    `query ($query: String!) { searchVideos(query: $query) { edges { hits {
      segment { uuid text startMs endMs thumbnailUrl box { x y width height } } highlights { text } } } } }`,
    { query },
  );
  return searchVideos.edges.flatMap(({ hits }) => hits);
}

test('a real screen recording is followed live to its end, searched while it is being read, and cut where the words appear', async (context) => {
  const source = forensicsSample(context, 'movie2/movie-hello.mp4');
  const socket = openSocket(platform.graphqlUrl, { token: platform.token });
  const worker = await platform.startWorker();
  const set = (paused: boolean) =>
    platform.superuser.query(
      `update millrace.job_definitions set paused_at = case when $1 then now() end where key = 'segment_index'`,
      [paused],
    );
  await set(true);
  const { videoId, uuid } = await platform.upload('hello', source);
  const stream = socket.subscribe(
    `subscription ($id: ID!) { videoChanged(id: $id) { status error { message } pipeline { percent etaSeconds stage stages { stage status percent } } } }`,
    { id: videoId },
  );
  const seen = (): readonly Seen[] => stream.received.map((message) => message.data?.videoChanged as Seen);

  // The last stage waits: what has been read so far is found all the same.
  await waitFor(async () => (await search('"hello world"'))[0], {
    describe: () => `words to be found while the video is being read: ${JSON.stringify(seen().at(-1))}`,
    pollMs: 200,
  });
  expect(seen().at(-1)?.status).toBe('TRANSCODED');
  await set(false);
  await waitFor(() => seen().some(({ status }) => status === 'READY' || status === 'FAILED'), {
    describe: () =>
      `the video to be ready: ${JSON.stringify(seen().at(-1))}\n${worker.stderr().slice(-1500)}`,
  });
  expect(seen().at(-1)).toMatchObject({
    status: 'READY',
    error: null,
    pipeline: { percent: 100, stage: null },
  });
  const pipelines = seen().flatMap(({ pipeline }) => (pipeline === null ? [] : [pipeline]));
  expect([...new Set(pipelines.flatMap(({ stage }) => stage ?? []))]).toEqual(
    expect.arrayContaining(['TRANSCODE', 'SAMPLE', 'OCR']),
  );
  const percents = pipelines.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(pipelines.some(({ etaSeconds }) => etaSeconds !== null && etaSeconds > 0)).toBe(true);
  stream.stop();
  await socket.close();

  const [hello] = await search('"hello world"');
  // It is there from the first picture on, which a reader may misread.
  expect(hello?.segment.startMs).toBeLessThan(1_000);
  expect(hello?.segment.endMs).toBeGreaterThan(7_500);
  const box = hello?.segment.box ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(box.x).toBeGreaterThan(470);
  expect(box.x + box.width).toBeLessThan(830);
  expect(box.y + box.height).toBeLessThan(75);
  const thumbnail = await fetch(hello?.segment.thumbnailUrl ?? '', { headers: { connection: 'close' } });
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await search('helo wrld')).map(({ segment }) => segment.text)).toContain(hello?.segment.text);

  // The listing appears in the second half; its command was being typed before.
  const [listing] = await search('libexec');
  expect(listing?.segment.text).toMatch(/games|sbin|src/);
  expect(listing?.segment.startMs).toBeGreaterThan(3_000);

  const { requestClip } = await platform.api<{ requestClip: { clip: { id: string } } }>(
    `mutation ($input: RequestClipInput!) { requestClip(input: $input) { ... on RequestClipPayload { clip { id } } ... on DomainFailure { message } } }`,
    {
      input: {
        videoId: uuid,
        startMs: listing?.segment.startMs,
        endMs: listing?.segment.endMs,
        paddingMs: 0,
      },
    },
  );
  const clip = await waitFor(
    async () => {
      const { clip } = await platform.api<{
        clip: { status: string; url: string; startMs: number; endMs: number };
      }>(`query ($id: ID!) { clip(id: $id) { status url startMs endMs } }`, { id: requestClip.clip.id });
      return clip.status === 'READY' && clip;
    },
    { describe: 'the clip', pollMs: 100 },
  );
  const place = listing?.segment.box ?? box;
  const shown = await playInBrowser(clip.url, place);
  expect(Math.abs(shown.durationSeconds - (clip.endMs - clip.startMs) / 1000)).toBeLessThan(0.1);
  // In its middle the browser shows the listing as bright as the recording does at that time; a second before
  // the clip its place was black.
  const lumaAt = (seconds: number, name: string) => meanLuma(source, seconds, place, platform.dataDir, name);
  const right = await lumaAt(clip.startMs / 1000 + shown.atSeconds, 'right.gray');
  const before = await lumaAt(Math.max(0, clip.startMs / 1000 - 1), 'before.gray');
  expect(right).toBeGreaterThan(before + 10);
  expect(Math.abs(shown.meanLuma - right)).toBeLessThan((right - before) / 3);
  worker.child.kill('SIGTERM');
  await worker.ended();
});

type Box = Hit['segment']['box'];

/** How bright a place of a video is at a time, 0 to 255. */
async function meanLuma(
  source: string,
  seconds: number,
  box: Box,
  cwd: string,
  name: string,
): Promise<number> {
  const crop = `crop=${box.width}:${box.height}:${box.x}:${box.y}`;
  const path = await makeMedia(cwd, [
    ...['-ss', String(seconds), '-i', source, '-frames:v', '1', '-vf', `${crop},format=gray`],
    ...['-f', 'rawvideo', name],
  ]);
  const luma = await readFile(path);
  return luma.reduce((sum, value) => sum + value, 0) / luma.length;
}

/** Plays a clip in headless Chromium on a page of another origin and takes a picture of it. */
async function playInBrowser(
  url: string,
  box: Box,
): Promise<{ readonly durationSeconds: number; readonly atSeconds: number; readonly meanLuma: number }> {
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('connection', 'close');
    response.end(
      '<!doctype html><video id="v" muted crossorigin="anonymous"></video><canvas id="c"></canvas>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    await page.evaluate(`{
      const video = document.getElementById('v');
      video.src = ${JSON.stringify(url)};
      video.play();
    }`);
    await page.waitForFunction(`document.getElementById('v').currentTime > 0.3`);
    const shown = await page.evaluate(`new Promise((resolve) => {
      const video = document.getElementById('v');
      video.pause();
      video.addEventListener('seeked', () => {
        const { x, y, width, height } = ${JSON.stringify(box)};
        const canvas = document.getElementById('c');
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext('2d');
        context.drawImage(video, x, y, width, height, 0, 0, width, height);
        const { data } = context.getImageData(0, 0, width, height);
        let sum = 0;
        for (let at = 0; at < data.length; at += 4) sum += 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
        resolve({ durationSeconds: video.duration, atSeconds: video.currentTime, meanLuma: sum / (width * height) });
      }, { once: true });
      video.currentTime = video.duration / 2;
    })`);
    return shown as Awaited<ReturnType<typeof playInBrowser>>;
  } finally {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
  }
}
