import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { SAMPLE_PATH } from '../support/media.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';
import { fetchStream, type Platform, startPlatform } from './platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({}, { upTo: 'transcode' });
});
afterAll(() => platform.close());

interface VideoState {
  readonly video: {
    readonly status: string;
    readonly durationMs: number | string;
    readonly urls: { readonly playlist: string; readonly poster: string };
  };
}

describe('a video, from upload to playback', () => {
  test('is seen queued, running, in progress and succeeded on one socket, and plays in a browser', async () => {
    const socket = openSocket(platform.graphqlUrl, { token: platform.token });
    const stream = socket.subscribe(
      `subscription { jobChanges { __typename ... on JobUpdated { cursor job { uuid status version progress { percent stage } } } ... on FeedReady { cursor } } }`,
    );
    await stream.next(
      (message) => message.data?.jobChanges.__typename === 'FeedReady',
      'the feed to be ready',
    );
    const { videoId, jobId } = await platform.upload('sample', SAMPLE_PATH);
    const ofJob =
      (status: string) => (message: { data?: { jobChanges: { job?: { uuid: string; status: string } } } }) =>
        message.data?.jobChanges.job?.uuid === jobId && message.data.jobChanges.job.status === status;
    await stream.next(ofJob('QUEUED'), 'the job in the queue');
    // Only now: the feed sends the newest state, and an idle worker has the job before QUEUED is sent.
    const worker = await platform.startWorker();
    // A second try would begin with a worker that is there already.
    onTestFinished(() => worker.kill());
    await waitFor(() => stream.received.some(ofJob('SUCCEEDED')), {
      describe: () => JSON.stringify(stream.received.slice(-3)),
    });
    const events = stream.received
      .map((message) => message.data?.jobChanges.job)
      .filter((job) => job?.uuid === jobId);
    expect([...new Set(events.map((job) => job.status))]).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
    const percents = events
      .map((job) => job.progress?.percent)
      .filter((percent) => typeof percent === 'number');
    expect(percents.length).toBeGreaterThan(0);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    const versions = events.map((job) => BigInt(job.version));
    expect(versions.every((version, i) => i === 0 || version >= (versions[i - 1] as bigint))).toBe(true);
    stream.stop();
    await socket.close();

    const { video } = await platform.api<VideoState>(
      `query ($id: ID!) { video(id: $id) { status durationMs urls { playlist poster } } }`,
      { id: videoId },
    );
    expect(video.status).toBe('TRANSCODED');
    const { playlist, hashes } = await fetchStream(video.urls.playlist);
    expect(playlist).toContain('#EXT-X-ENDLIST');
    // Of two renditions.
    expect(hashes.size).toBe(12);
    const { rows } = await platform.superuser.query(
      `select key, sha256 from millrace.artifacts where kind = 'hls_segment'`,
    );
    for (const [name, hash] of hashes)
      expect(rows.find((row) => row.key.endsWith(`/${name}`))?.sha256).toBe(hash);
    expect(await playInBrowser(video.urls.playlist)).toBeGreaterThan(0.5);
  });

  test.runIf(process.platform === 'linux')(
    'is played from its beginning while it is being transcoded, and on to its end',
    async () => {
      const worker = await platform.startWorker();
      onTestFinished(() => worker.kill());
      const { videoId } = await platform.upload('live', SAMPLE_PATH);
      const ask = async () =>
        (
          await platform.api<VideoState>(
            `query ($id: ID!) { video(id: $id) { status urls { playlist poster } } }`,
            { id: videoId },
          )
        ).video;
      // The encoder goes on in small steps until there is something to be played, and stands still while its
      // beginning is played.
      let encoders: readonly number[] = [];
      const signal = (name: NodeJS.Signals) => {
        for (const pid of encoders) process.kill(pid, name);
      };
      const live = await waitFor(
        async () => {
          encoders = await encodersOf(worker.pid);
          if (encoders.length === 0) return false;
          signal('SIGSTOP');
          // Progress is written twice a second.
          const seen = await waitFor(ask, { describe: 'the video' });
          if (seen.urls.playlist !== null) return seen;
          signal('SIGCONT');
          return false;
        },
        {
          describe: () => `a playlist before the end:\n${worker.stderr().slice(-1500)}`,
          pollMs: 100,
        },
      );
      expect(live.status).not.toBe('TRANSCODED');
      expect(live.urls.playlist).toMatch(/\/live_r1\.m3u8$/);
      try {
        const ended = await watchToTheEnd(live.urls.playlist, () => signal('SIGCONT'));
        expect(ended.beganAt).toBeLessThan(2);
        expect(ended.seconds).toBeGreaterThan(23);
      } finally {
        if ((await encodersOf(worker.pid)).length > 0) signal('SIGCONT');
      }
      const done = await waitFor(
        async () => {
          const seen = await ask();
          return seen.status === 'TRANSCODED' && seen;
        },
        { describe: 'the end of the transcode' },
      );
      expect(done.urls.playlist).toMatch(/\/index\.m3u8$/);
    },
    240_000,
  );

  test('shows a page that follows it no gap: its status, a bar, and a playlist that stays once it is there', async () => {
    const { videoId } = await platform.upload('followed', SAMPLE_PATH);
    const socket = openSocket(platform.graphqlUrl, { token: platform.token });
    const stream = socket.subscribe(
      'subscription ($id: ID!) { videoChanged(id: $id) { status pipeline { percent stage } urls { playlist } } }',
      { id: videoId },
    );
    await stream.next(
      (message) => message.data?.videoChanged.status === 'UPLOADED',
      'the video in the queue',
    );
    const worker = await platform.startWorker();
    onTestFinished(() => worker.kill());
    await stream.next(
      (message) => message.data?.videoChanged.status === 'TRANSCODED',
      'the end of the transcode',
    );
    const seen = stream.received.map(({ data }) => data.videoChanged);
    stream.stop();
    await socket.close();
    expect([...new Set(seen.map(({ status }) => status))]).toEqual(['UPLOADED', 'PROCESSING', 'TRANSCODED']);
    const percents = seen.map(({ pipeline }) => pipeline?.percent);
    expect(percents.every((percent) => typeof percent === 'number')).toBe(true);
    const playlists = seen.map(({ urls }) => urls.playlist?.split('/').at(-1) ?? null);
    const first = playlists.findIndex((name) => name !== null);
    expect([...new Set(playlists.slice(first))]).toEqual(['live_r1.m3u8', 'index.m3u8']);
    // The token is part of it: a player that is given another one loads all again.
    expect(new Set(seen.map(({ urls }) => urls.playlist)).size).toBeLessThanOrEqual(4);
  });

  test('is refused with a clear and lasting error when it is no video', async () => {
    const worker = await platform.startWorker();
    onTestFinished(() => worker.kill());
    const { videoId } = await platform.upload(
      'not a video',
      new URL('../../README.md', import.meta.url).pathname,
    );
    const state = await waitFor(
      async () => {
        const { video } = await platform.api<{
          video: {
            status: string;
            error: { message: string };
            jobs: { status: string; attemptCount: number }[];
          };
        }>(`query ($id: ID!) { video(id: $id) { status error { message } jobs { status attemptCount } } }`, {
          id: videoId,
        });
        return video.status === 'FAILED' && video;
      },
      { describe: 'the video to fail' },
    );
    expect(state.error.message).toMatch(/not a video|format/i);
    expect(state.jobs).toEqual([{ status: 'FAILED', attemptCount: 1 }]);
  });
});

/** The encoding ffmpegs among the descendants of a process. */
async function encodersOf(ancestor: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  const encoders: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat === null) continue;
    const pid = Number(name);
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    if (!stat.includes('(ffmpeg)')) continue;
    if ((await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).includes('hls_segment'))
      encoders.push(pid);
  }
  const descends = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === ancestor || descends(parents.get(pid)));
  return encoders.filter(descends);
}

/** Plays an HLS stream to its end, in haste once it has begun; says where it began and how long it is. */
async function watchToTheEnd(
  playlistUrl: string,
  onBegun: () => void,
): Promise<{ readonly beganAt: number; readonly seconds: number }> {
  return await inBrowser(playlistUrl, async (page) => {
    await page.waitForFunction(`document.getElementById('v').currentTime > 0.5`);
    const beganAt = Number(await page.evaluate(`document.getElementById('v').currentTime`));
    onBegun();
    await page.evaluate(`document.getElementById('v').playbackRate = 8`);
    await page.waitForFunction(`document.getElementById('v').ended`);
    return { beganAt, seconds: Number(await page.evaluate(`document.getElementById('v').currentTime`)) };
  });
}

/** Plays an HLS stream in headless Chromium; returns `currentTime` in seconds. */
async function playInBrowser(playlistUrl: string): Promise<number> {
  return await inBrowser(playlistUrl, async (page) => {
    await page.waitForFunction(`document.getElementById('v').currentTime > 0.5`);
    return Number(await page.evaluate(`document.getElementById('v').currentTime`));
  });
}

/** Begins to play an HLS stream with hls.js in headless Chromium, on a page of another origin. */
async function inBrowser<T>(playlistUrl: string, watch: (page: Page) => Promise<T>): Promise<T> {
  const hls = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
  const pages = createServer((request, response) => {
    const isScript = request.url === '/hls.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader('connection', 'close');
    response.end(
      isScript ? hls : '<!doctype html><video id="v" muted></video><script src="/hls.js"></script>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    await page.evaluate(`{
      const player = new Hls();
      const video = document.getElementById('v');
      player.on(Hls.Events.ERROR, (_, data) => { document.title = data.details; });
      player.loadSource(${JSON.stringify(playlistUrl)});
      player.attachMedia(video);
      player.on(Hls.Events.MANIFEST_PARSED, () => video.play());
    }`);
    return await watch(page);
  } finally {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
  }
}
