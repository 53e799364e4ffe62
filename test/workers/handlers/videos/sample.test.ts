import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  frameKey,
  frameManifestKey,
  storyboardKey,
  storyboardPrefix,
} from '../../../../src/storage/video-keys.ts';
import type { FoundMediaTools } from '../../../../workers/tools/media-tools.ts';
import { runProcess } from '../../../../workers/tools/process.ts';
import { FAST_H264, makeMedia, mediaOf, npmMedia, PICTURE, VIDEO_ID } from '../../../support/media.ts';
import { makeSampleBench } from '../../../support/sample-bench.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';
import { waitFor } from '../../../support/wait.ts';

/** Pictures of bars and blocks that no hash takes for each other: one a letter. */
const PICTURES: Readonly<Record<string, string>> = {
  A: 'drawbox=0:0:80:180:white:fill',
  B: 'drawbox=0:0:320:60:white:fill',
  C: 'drawbox=120:40:60:60:white:fill,drawbox=220:120:60:40:white:fill',
};
const GRAY = (seconds: number, rate = 25) => [
  ...['-f', 'lavfi', '-i', `color=c=0x303030:s=320x180:r=${rate}:d=${seconds}`],
];

/** A video that shows each picture from the given second on. */
async function shows(
  plan: readonly (readonly [letter: string, second: number])[],
  seconds: number,
  { more = [], filter = '', name = 'shows.mp4' }: { more?: string[]; filter?: string; name?: string } = {},
): Promise<string> {
  const filters = plan.flatMap(([letter, second], index) => {
    const until = plan[index + 1]?.[1] ?? seconds + 1;
    const when = `:enable='gte(t,${second})*lt(t,${until})'`;
    return (PICTURES[letter] as string).split(',').map((box) => box + when);
  });
  const args = ['-vf', [...filters, ...(filter === '' ? [] : [filter])].join(','), '-vsync', 'vfr'];
  return await makeMedia(await makeTempDir(), [...GRAY(seconds), ...args, ...FAST_H264, ...more, name]);
}

/** Of a machine without ffmpeg: code that decodes anything fails. */
const WITHOUT_PROGRAMS = { own: { media: null } };

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('a picture is found within 100 ms of when it appears, and again where it comes back', async (context) => {
    const path = await shows(
      [
        ['A', 0],
        ['B', 1.24],
        ['C', 2.52],
        ['A', 3.48],
      ],
      5,
    );
    const { manifest, result } = await (await makeSampleBench(await mediaOf(source, context), path)).make();
    const [a, b, c] = manifest.frames;
    expect(manifest.frames).toHaveLength(3);
    const edges = [a?.spans[0], b?.spans[0], c?.spans[0], a?.spans[1]].flatMap((span) => span ?? []);
    for (const [index, truth] of [0, 1240, 1240, 2520, 2520, 3480, 3480, 5000].entries())
      expect(Math.abs((edges[index] as number) - truth), `edge ${index}`).toBeLessThanOrEqual(100);
    expect(result).toMatchObject({
      manifestKey: frameManifestKey(VIDEO_ID),
      frameCount: 3,
      sampledCount: 50,
      timesMs: manifest.frames.map(({ tMs }) => tMs),
      droppedCount: 0,
    });
  });

  test('of a variable frame rate, pictures have the times of the source, also one that nothing follows for seconds', async (context) => {
    // Pictures at 0, 40, 80, 2000, 2040, 2400 and 6000 ms and no other; B appears in the shadow of the one
    // at 0.
    const path = await shows(
      [
        ['A', 0],
        ['B', 0.08],
        ['C', 2.04],
        ['A', 2.4],
      ],
      7,
      { filter: `select='eq(n,0)+eq(n,1)+eq(n,2)+eq(n,50)+eq(n,51)+eq(n,60)+eq(n,150)'` },
    );
    const { manifest } = await (await makeSampleBench(await mediaOf(source, context), path)).make();
    expect(manifest.frames.map(({ tMs, spans }) => [tMs, spans[0]])).toEqual([
      [80, [80, 2040]],
      [2040, [2040, 2400]],
      [2400, [2400, manifest.durationMs]],
    ]);
  });
});

test('one changed part of a picture makes another frame, the same picture again does not, and its bytes are the store’s', async () => {
  const directory = await makeTempDir();
  const text = `drawbox=0:0:80:180:white:fill,drawbox=200:100:8:6:0x909090:fill:enable='gte(t,1.5)*lt(t,3)'`;
  const path = await makeMedia(directory, [...GRAY(4), '-vf', text, ...FAST_H264, 'part.mp4']);
  const bench = await makeSampleBench(await npmMedia(), path);
  const { manifest } = await bench.make();
  expect(manifest.frames.map(({ spans }) => spans.length)).toEqual([2, 1]);
  expect(manifest).toMatchObject({ widthPx: 320, heightPx: 180, frameWidthPx: 320, durationMs: 4000 });
  for (const frame of manifest.frames) {
    const { stream } = await bench.store.get(frameKey(VIDEO_ID, frame.tMs));
    const bytes = await buffer(stream);
    expect(bytes.length).toBe(frame.sizeBytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(frame.sha256);
    expect(bytes.subarray(0, 2).toString('hex') + bytes.subarray(-2).toString('hex')).toBe('ffd8ffd9');
  }
  expect(bench.artifacts.map(({ kind }) => kind)).toEqual([
    'frame',
    'frame',
    'storyboard_picture',
    'storyboard',
    'frame_manifest',
  ]);
  expect(bench.progress.at(-1)).toMatchObject({ percent: 100, preview: expect.stringMatching(/\.jpg$/) });

  // Again: nothing is decoded again; with a frame gone, or other settings, it is, to the same bytes.
  const before = structuredClone(bench.artifacts);
  await bench.run({}, WITHOUT_PROGRAMS);
  await bench.store.delete(frameKey(VIDEO_ID, manifest.frames[1]?.tMs as number));
  await expect(bench.run({}, WITHOUT_PROGRAMS)).rejects.toBeInstanceOf(Error);
  await bench.run();
  expect(bench.artifacts.map(({ key, sha256 }) => [key, sha256])).toEqual(
    before.map(({ key, sha256 }) => [key, sha256]),
  );
  const fewer = await bench.make({ dedupe_threshold: 0 });
  expect(fewer.manifest.frames).toHaveLength(1);
});

test('a minute has no more frames than it may; what is left out is reported, and has no time', async () => {
  const path = await makeMedia(await makeTempDir(), [...PICTURE('160x90', 4), ...FAST_H264, 'moves.mp4']);
  const moving = await makeSampleBench(await npmMedia(), path);
  const film = await moving.make({ max_frames_per_minute: 30, dedupe_threshold: 1 });
  // In even steps of two seconds: a film has no picture that stands.
  expect(film.manifest.frames.length).toBeGreaterThanOrEqual(2);
  expect(film.manifest.frames.length).toBeLessThanOrEqual(3);
  expect(film.result.droppedCount).toBeGreaterThan(20);

  const slides = await makeSampleBench(
    await npmMedia(),
    await shows(
      [
        ['A', 0],
        ['B', 1],
        ['C', 2],
      ],
      3,
    ),
  );
  const { manifest, result } = await slides.make({ max_frames_per_minute: 2 });
  expect(manifest.frames).toHaveLength(2);
  expect(manifest.capped).toEqual([{ minute: 0, droppedCount: 1 }]);
  expect(result).toMatchObject({ droppedCount: 1, maxFramesPerMinute: 2 });
  expect(Math.max(...manifest.frames.flatMap(({ spans }) => spans.map(([, end]) => end)))).toBeLessThan(2200);
  expect(slides.warnings).toHaveLength(1);
});

test('a turned recording of odd size is upright and keeps its size; one of a browser has no length and is measured', async () => {
  const directory = await makeTempDir();
  const odd = [
    '-vf',
    'format=yuv444p,pad=321:181,drawbox=0:0:321:60:white:fill',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv444p',
  ];
  const flat = ['-f', 'lavfi', '-i', 'color=c=black:s=320x180:r=10:d=1'];
  await makeMedia(directory, [...flat, ...odd, 'flat.mp4']);
  const turned = await makeMedia(directory, [
    ...['-i', 'flat.mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90', 'turned.mp4'],
  ]);
  const bench = await makeSampleBench(await npmMedia(), turned);
  const { manifest } = await bench.make();
  expect(manifest).toMatchObject({ widthPx: 181, heightPx: 321, frameWidthPx: 181, frameHeightPx: 321 });
  const { stream } = await bench.store.get(frameKey(VIDEO_ID, manifest.frames[0]?.tMs as number));
  await writeFile(join(directory, 'frame.jpg'), await buffer(stream));
  // The file says a quarter turn to the left: the bar along the upper edge is at the left one.
  const raw = await makeMedia(directory, [
    ...['-i', 'frame.jpg', '-vf', 'scale=3:3:flags=area,format=gray', '-f', 'rawvideo', 'frame.gray'],
  ]);
  const gray = await readFile(raw);
  expect([...gray].map((value) => (value > 128 ? 1 : 0))).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0]);

  const webm = await makeMedia(directory, [
    ...[...PICTURE('160x90', 2), '-c:v', 'libvpx', '-b:v', '200k', '-live', '1', '-f', 'webm', 'live.webm'],
  ]);
  const live = await makeSampleBench(await npmMedia(), webm);
  const { durationMs } = (await live.make()).manifest;
  expect(Math.abs(durationMs - 2000)).toBeLessThanOrEqual(100);
});

test('an HDR recording comes out as bright as it is seen', async () => {
  const hdr = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'];
  const tags = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=error';
  const white = ['-f', 'lavfi', '-i', 'color=c=0x949494:s=322x182:r=10:d=1'];
  const path = await makeMedia(await makeTempDir(), [...white, ...hdr, '-x265-params', tags, 'hdr.mp4']);
  const { manifest } = await (await makeSampleBench(await npmMedia(), path)).make();
  // 58 % of the signal are the 203 nits of a white page.
  expect(manifest.frames[0]?.meanLuma).toBeGreaterThan(180);
});

test('a file without one picture that can be decoded fails for good', async () => {
  const directory = await makeTempDir();
  await writeFile(join(directory, 'no.mp4'), 'this is no video');
  const bench = await makeSampleBench(await npmMedia(), join(directory, 'no.mp4'));
  await expect(bench.run()).rejects.toMatchObject({ name: 'PermanentError', type: 'NotAVideo' });
  expect(await bench.store.stat(frameManifestKey(VIDEO_ID))).toBeNull();
});

test('a run that is ended, or whose uploads fail, leaves neither ffmpeg nor its directory nor a manifest', async () => {
  const path = await makeMedia(await makeTempDir(), [...PICTURE('160x90', 20), ...FAST_H264, 'long.mp4']);
  const bench = await makeSampleBench(await npmMedia(), path);
  const ending = new AbortController();
  const running = bench.run({}, { signal: ending.signal }).catch((error: unknown) => error);
  await waitFor(() => bench.progress.some(({ stage }) => stage === 'sample'), {
    describe: 'the first pictures',
  });
  ending.abort(new Error('canceled'));
  expect(await running).toMatchObject({ message: 'canceled' });
  const full = new Proxy(bench.store, {
    get(store, name) {
      if (name === 'put') return () => Promise.reject(new Error('no room'));
      const value: unknown = Reflect.get(store, name);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
  const directory = await makeTempDir();
  const tools = { storage: full, tempDir: async () => directory };
  await expect(bench.run({}, { tools })).rejects.toThrow('no room');
  expect(await readdir(bench.tempParent)).toEqual([]);
  expect(await bench.store.stat(frameManifestKey(VIDEO_ID))).toBeNull();
});

test('the storyboard shows for each time range the frame of that time, over as many pictures as it needs', async () => {
  const directory = await makeTempDir();
  // Each 0.4 s has a block at another place and of another gray: 32 frames, and the first again at the
  // end.
  const blocks = Array.from({ length: 32 }, (_, n) => {
    const when =
      n === 0
        ? 'lt(t,0.4)+gte(t,12.8)'
        : `gte(t,${(n * 0.4).toFixed(1)})*lt(t,${((n + 1) * 0.4).toFixed(1)})`;
    const gray = (0x404040 + 0x050505 * n).toString(16);
    return `drawbox=${(n % 8) * 40}:${Math.floor(n / 8) * 45}:40:45:0x${gray}:fill:enable='${when}'`;
  });
  const path = await makeMedia(directory, [...GRAY(14), '-vf', blocks.join(','), ...FAST_H264, 'blocks.mp4']);
  const media = await npmMedia();
  const bench = await makeSampleBench(media, path);
  const { manifest } = await bench.make({ max_frames_per_minute: 600 });
  expect(manifest.frames).toHaveLength(32);
  expect(manifest.storyboard).toMatchObject({ columns: 5, rows: 5, tileWidthPx: 160, tileHeightPx: 90 });
  expect(manifest.storyboard?.sprites).toHaveLength(2);

  const read = async (key: string) => await buffer((await bench.store.get(key)).stream);
  const track = (await read(storyboardKey(VIDEO_ID))).toString();
  const cues = [...track.matchAll(/^(\S+) --> (\S+)\n(\w+\.jpg)#xywh=(\d+),(\d+),(\d+),(\d+)\n\n/gm)];
  expect(`WEBVTT\n\n${cues.map(([cue]) => cue).join('')}`).toBe(track);
  expect(cues).toHaveLength(manifest.frames.reduce((sum, { spans }) => sum + spans.length, 0));
  expect(cues.length).toBe(33);
  let endMs = 0;
  for (const [, start = '', end = '', name = '', x, y, width, height] of cues) {
    const [from, to] = [start, end].map((time) => Date.parse(`1970-01-01T${time}Z`)) as [number, number];
    expect(from).toBe(endMs);
    endMs = to;
    const frame = manifest.frames.find(({ spans }) =>
      spans.some(([first, last]) => Math.max(first, from) < Math.min(last, endMs)),
    );
    const tile = await grayOf(
      media,
      await read(storyboardPrefix(VIDEO_ID) + name),
      `crop=${width}:${height}:${x}:${y}`,
    );
    const shown = await grayOf(
      media,
      await read(frameKey(VIDEO_ID, frame?.tMs as number)),
      'scale=160:90:flags=area',
    );
    expect(tile.length).toBe(160 * 90);
    const apart = tile.reduce((sum, value, index) => sum + Math.abs(value - (shown[index] as number)), 0);
    expect(apart / tile.length, `at ${from} ms`).toBeLessThan(1.5);
  }
  expect(endMs).toBe(manifest.durationMs);

  // With one of its pictures gone, nothing is taken for finished.
  await bench.store.delete(storyboardPrefix(VIDEO_ID) + manifest.storyboard?.sprites[1]);
  await expect(bench.run({ max_frames_per_minute: 600 }, WITHOUT_PROGRAMS)).rejects.toBeInstanceOf(Error);
});

/** A picture as gray values. */
async function grayOf(media: FoundMediaTools, jpeg: Buffer, filter: string): Promise<Buffer> {
  const cwd = await makeTempDir();
  await writeFile(join(cwd, 'in.jpg'), jpeg);
  const { end, stderr } = await runProcess({
    file: media.ffmpegPath,
    args: [
      '-v',
      'error',
      '-nostdin',
      '-i',
      'in.jpg',
      '-vf',
      `${filter},format=gray`,
      '-f',
      'rawvideo',
      'out',
    ],
    cwd,
    timeoutMs: 300_000,
  });
  if (end.how !== 'exited' || end.exitCode !== 0) throw new Error(stderr);
  return await readFile(join(cwd, 'out'));
}
