import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '../../../../src/core/errors.ts';
import { parseHlsPlaylist, variantNames } from '../../../../src/storage/hls-playlist.ts';
import type { ProgressUpdate } from '../../../../workers/handler.ts';
import {
  FAST_H264,
  makeMedia,
  makeTranscodeBench,
  npmMedia,
  PICTURE,
  type TranscodeBench,
  VIDEO_ID,
} from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';
import { waitFor } from '../../../support/wait.ts';

const PROXY = `videos/proxy/${VIDEO_ID}/`;

/** Long and large enough that something can be done to its encoder. */
let longVideo = '';
let longVideoDir = '';
const LONG_SEGMENTS = 5;

beforeAll(async () => {
  longVideoDir = await mkdtemp(join(tmpdir(), 'millrace-test-'));
  longVideo = await makeMedia(longVideoDir, [
    // Just large enough for two renditions.
    ...PICTURE('640x612', 4 * LONG_SEGMENTS),
    ...FAST_H264,
    'long.mp4',
  ]);
});

afterAll(async () => {
  await rm(longVideoDir, { recursive: true, force: true });
});

async function proxyNames(bench: TranscodeBench): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of bench.store.list(PROXY)) names.push(key.slice(PROXY.length));
  return names;
}

async function shortVideo(size = '320x180', seconds = 6): Promise<string> {
  return await makeMedia(await makeTempDir(), [...PICTURE(size, seconds), ...FAST_H264, 'short.mp4']);
}

/** Processes that work in a bench's temporary directory. */
async function toolsIn(bench: TranscodeBench): Promise<number[]> {
  const pids: number[] = [];
  for (const name of await readdir('/proc')) {
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (/^\d+$/.test(name) && cwd.startsWith(bench.tempParent + sep)) pids.push(Number(name));
  }
  return pids;
}

/** Calls back once, when the encoder has moved. */
function onceEncoding(bench: TranscodeBench, callback: () => void): (update: ProgressUpdate) => void {
  let called = false;
  return (update) => {
    bench.progress.push(update);
    if (called || update.stage !== 'transcode') return;
    called = true;
    callback();
  };
}

test('a second run of a finished job finds everything made and makes nothing', async () => {
  const media = await npmMedia();
  const bench = await makeTranscodeBench(media, await shortVideo());
  const first = await bench.run();
  const noProgram = { ...media, ffmpegPath: '/no/such/ffmpeg', ffprobePath: '/no/such/ffprobe' };
  const again = await bench.run({
    runNo: 2,
    own: { media: noProgram, video: { begin: async () => {} } },
  });
  expect(again).toEqual(first);
});

test('another original under the same key is made again, without touching what is being played', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), await shortVideo());
  await bench.run();
  const before = bench.artifacts.filter(({ kind }) => kind === 'hls_segment');
  await bench.store.put(bench.originalKey, { stream: createReadStream(await shortVideo('160x90')) });
  // A new job, so its first run: the number must not be that of the published segments.
  const outcome = await bench.run({ runNo: 1 });
  expect(outcome).toMatchObject({ kind: 'done', result: { widthPx: 160 } });
  expect(await proxyNames(bench)).toEqual([
    'index.m3u8',
    'live_r1.m3u8',
    'live_r2.m3u8',
    'segment_r1_0.ts',
    'segment_r1_1.ts',
    'segment_r2_0.ts',
    'segment_r2_1.ts',
  ]);
  for (const { key, sha256 } of before) expect(await bench.store.stat(key), key).toMatchObject({ sha256 });
  expect(await text((await bench.store.get(`${PROXY}index.m3u8`)).stream)).toContain('segment_r2_0.ts');
});

test('when a published file is gone or was changed, the stream is made again', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), await shortVideo());
  await bench.run();
  await bench.store.delete(`${PROXY}segment_r1_1.ts`);
  await bench.run({ runNo: 2 });
  expect(await text((await bench.store.get(`${PROXY}index.m3u8`)).stream)).toContain('segment_r3_0.ts');
  await bench.store.put(`thumbs/${VIDEO_ID}/poster.jpg`, { stream: Readable.from(['not the poster']) });
  await bench.run({ runNo: 3 });
  expect((await bench.store.stat(`thumbs/${VIDEO_ID}/poster.jpg`))?.sizeBytes).toBeGreaterThan(1000);
});

test.runIf(process.platform === 'linux')(
  'segments are in the store before the encoder has ended',
  async () => {
    const bench = await makeTranscodeBench(await npmMedia(), longVideo);
    const looking = Promise.withResolvers<readonly string[]>();
    const signal = (pids: readonly number[], name: NodeJS.Signals) => {
      for (const pid of pids) process.kill(pid, name);
    };
    /**
     * Lets the encoder go on in small steps: while it stands still, the code that stores its segments can
     * catch up.
     */
    const lookBetweenSteps = async (): Promise<readonly string[]> => {
      for (;;) {
        const pids = await toolsIn(bench);
        if (pids.length === 0) return [];
        signal(pids, 'SIGSTOP');
        try {
          await sleep(150);
          const names = await proxyNames(bench);
          if (names.includes('live_r1.m3u8')) {
            for (const rendition of await renditionsOf(bench, 'live_r1.m3u8'))
              expectGrowing(rendition.text, rendition.names, names);
            return names;
          }
        } finally {
          signal(pids, 'SIGCONT');
        }
        await sleep(50);
      }
    };
    const outcome = await bench.run({
      progress: onceEncoding(bench, () => lookBetweenSteps().then(looking.resolve, looking.reject)),
    });
    const names = await looking.promise;
    const early = names.filter((name) => /^segment_r1_\d+\.ts$/.test(name));
    expect(early.length).toBeGreaterThan(0);
    expect(early.length).toBeLessThan(LONG_SEGMENTS);
    expect(names).not.toContain('index.m3u8');
    expect(bench.progress.map(({ preview }) => preview)).toContain(`${PROXY}live_r1.m3u8`);

    // Who began with the growing playlist comes to its end, and what is published names the same files.
    const grown = await renditionsOf(bench, 'live_r1.m3u8');
    expect(grown.map(({ name }) => name)).toEqual(['stream_r1.m3u8', 'stream_r1_480p.m3u8']);
    expect(await renditionsOf(bench, 'index.m3u8')).toEqual(grown);
    for (const { text: media, names: segments } of grown) {
      expect(media).toContain('#EXT-X-PLAYLIST-TYPE:VOD');
      expect(media).toContain('#EXT-X-ENDLIST');
      expect(segments).toHaveLength(LONG_SEGMENTS);
    }
    const published = outcome.kind === 'done' ? outcome.artifacts.map(({ key }) => key) : [];
    for (const { name, names: segments } of grown)
      for (const file of [name, ...segments]) expect(published).toContain(PROXY + file);
  },
);

/** The renditions that a master playlist names, read from the store. */
async function renditionsOf(bench: TranscodeBench, master: string) {
  const read = async (name: string) => await text((await bench.store.get(PROXY + name)).stream);
  const renditions = variantNames(await read(master)) ?? [];
  return await Promise.all(
    renditions.map(async (name) => {
      const media = await read(name);
      return { name, text: media, names: parseHlsPlaylist(media).segments.map((segment) => segment.name) };
    }),
  );
}

function expectGrowing(media: string, segments: readonly string[], stored: readonly string[]): void {
  expect(media).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
  expect(media).not.toContain('#EXT-X-ENDLIST');
  expect(segments.length).toBeGreaterThan(0);
  expect(stored).toEqual(expect.arrayContaining([...segments]));
}

test.runIf(process.platform === 'linux')(
  'a cancel ends ffmpeg and leaves neither files nor segments',
  async () => {
    const bench = await makeTranscodeBench(await npmMedia(), longVideo);
    const abort = new AbortController();
    const running = bench.run({
      signal: abort.signal,
      progress: onceEncoding(bench, () => {
        void waitFor(async () => (await proxyNames(bench)).length > 0, {
          describe: 'a first segment',
        }).finally(() => abort.abort(new Error('canceled by its owner')));
      }),
    });
    await expect(running).rejects.toThrow('canceled by its owner');
    expect(await toolsIn(bench)).toEqual([]);
    expect(await readdir(bench.tempParent)).toEqual([]);
    expect(await proxyNames(bench)).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')('a crash of ffmpeg is worth another try', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), longVideo);
  const running = bench.run({
    progress: onceEncoding(bench, () => {
      void toolsIn(bench).then((pids) => {
        for (const pid of pids) process.kill(pid, 'SIGSEGV');
      });
    }),
  });
  await expect(running).rejects.toMatchObject({
    name: 'MediaToolError',
    reason: 'crashed',
    message: expect.stringContaining('SIGSEGV'),
  });
  expect(await proxyNames(bench)).toEqual([]);
});

test('a run that has lost its lease publishes nothing', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), await shortVideo());
  await bench.run({ runNo: 2 });
  const playlist = (await bench.store.stat(`${PROXY}index.m3u8`))?.sha256;
  const lost = new DomainError('LostLease', 'Run 1 has been overtaken');
  const late = bench.run({
    runNo: 1,
    // What it saw when it began, before the other run had published.
    artifacts: { find: async () => [] },
    fence: async () => {
      throw lost;
    },
  });
  await expect(late).rejects.toBe(lost);
  expect((await bench.store.stat(`${PROXY}index.m3u8`))?.sha256).toBe(playlist);
  for (const { key, sha256 } of bench.artifacts)
    expect(await bench.store.stat(key), key).toMatchObject({ sha256 });
});

test('a store that fails ends the encoder at once, and the run may be tried again', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), longVideo);
  const directory = await makeTempDir();
  const storage = {
    ...bench.store,
    put: async () => {
      throw new Error('the store is away');
    },
  };
  const running = bench.run({ tools: { storage, tempDir: async () => directory } });
  await expect(running).rejects.toThrow('the store is away');
  expect(await readdir(directory)).not.toContain(`segment_r1_${LONG_SEGMENTS - 1}.ts`);
});

test('an original in a store without local files is fetched first', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), await shortVideo());
  const { localPath: _, ...storage } = bench.store;
  const directory = join(await makeTempDir(), 'with space, "quote" and %d');
  await mkdir(directory);
  const outcome = await bench.run({
    tools: { storage, tempDir: async () => directory },
  });
  expect(outcome).toMatchObject({ kind: 'done', result: { segmentCount: 2 } });
});
