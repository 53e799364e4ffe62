import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TranscodeResult } from '../../../../src/domains/videos/pipeline/stage-results.ts';
import { parseHlsPlaylist } from '../../../../src/storage/hls-playlist.ts';
import { VIDEO_FORMATS } from '../../../../workers/tools/media-formats.ts';
import type { FoundMediaTools } from '../../../../workers/tools/media-tools.ts';
import { surveyStreams } from '../../../../workers/tools/stream-survey.ts';
import {
  FAST_H264,
  makeMedia,
  makeTranscodeBench,
  mediaOf,
  PICTURE,
  TONE,
  VIDEO_ID,
} from '../../../support/media.ts';
import { blackPng, claimLength, referOutside, writePngAvi } from '../../../support/odd-media.ts';

const PROXY = `videos/proxy/${VIDEO_ID}/`;
const AAC = ['-c:a', 'aac', '-strict', '-2'];

let directory: string;
let base: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-odd-'));
  base = await makeMedia(directory, [
    ...[...PICTURE('320x240', 8), ...TONE(8), ...FAST_H264, '-g', '25', ...AAC, 'base.mp4'],
  ]);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** What is published of a source: its length, and those of its segments. */
async function transcoded(media: FoundMediaTools, path: string) {
  const bench = await makeTranscodeBench(media, path);
  const outcome = await bench.run();
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  const playlist = parseHlsPlaylist(await text((await bench.store.get(`${PROXY}index.m3u8`)).stream));
  const pictures: number[] = [];
  for (const { name } of playlist.segments) {
    const survey = await surveyStreams({
      media,
      path: await bench.store.localPath(PROXY + name),
      formats: VIDEO_FORMATS,
      indexes: [0],
      cwd: directory,
      timeoutMs: 300_000,
      stallTimeoutMs: 300_000,
    });
    pictures.push(survey.streams.get(0)?.count ?? 0);
  }
  return {
    result: outcome.result as TranscodeResult,
    seconds: playlist.segments.map(({ durationSeconds }) => durationSeconds),
    totalSeconds: playlist.durationSeconds,
    pictureCount: pictures.reduce((sum, count) => sum + count, 0),
  };
}

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('a recording whose pictures come when something changes is streamed in its whole length', async (context) => {
    const media = await mediaOf(source, context);
    // Two seconds that move, then a picture a second; and a burst at 100 a second, for which Matroska claims
    // that rate for all.
    const moves = ['-vf', "select='lt(n,60)+not(mod(n,30))'", '-vsync', 'vfr', ...FAST_H264];
    const bursts = ['-vf', "select='lt(n,40)+not(mod(n,100))'", '-vsync', 'vfr', ...FAST_H264];
    for (const name of ['moves.mkv', 'moves.mp4']) {
      const path = await makeMedia(directory, [...PICTURE('320x180', 7, 30), ...moves, name]);
      const made = await transcoded(media, path);
      expect(made.seconds, name).toEqual([4, expect.closeTo(2.033, 2)]);
      expect(made.result.durationMs, name).toBeGreaterThan(6030);
      expect(made.result.durationMs, name).toBeLessThan(6036);
    }
    const path = await makeMedia(directory, [...PICTURE('320x180', 12, 100), ...bursts, 'burst.mkv']);
    const made = await transcoded(media, path);
    expect(made.seconds).toEqual([4, 4, expect.closeTo(3.01, 2)]);
    // Of 51; npm's ffmpeg makes a constant rate of them.
    expect(made.pictureCount).toBeLessThan(source === 'npm' ? 300 : 75);
  });

  test('the stream that people would watch is taken, not a still picture before it', async (context) => {
    const media = await mediaOf(source, context);
    const one = await makeMedia(directory, [
      ...PICTURE('640x480', 1),
      '-frames:v',
      '1',
      ...FAST_H264,
      'one.mp4',
    ]);
    const maps = ['-map', '0:v', '-map', '1:v', '-map', '1:a'];
    const two = await makeMedia(directory, ['-i', one, '-i', base, ...maps, '-c', 'copy', 'two.mp4']);
    const made = await transcoded(media, two);
    expect(made.result).toMatchObject({ widthPx: 320, heightPx: 240, durationMs: expect.closeTo(8000, -2) });
    expect(made.totalSeconds).toBeCloseTo(8, 1);
  });

  test('sound that goes on after the pictures, and pictures that begin late, are in the stream in full', async (context) => {
    const media = await mediaOf(source, context);
    const maps = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy'];
    const long = await makeMedia(directory, ['-i', base, ...TONE(20), ...maps, ...AAC, 'long.mkv']);
    const longer = await transcoded(media, long);
    expect(longer.totalSeconds).toBeGreaterThan(19.9);
    expect(Math.max(...longer.seconds)).toBeLessThan(5.5);
    for (const name of ['late.mkv', 'late.mp4']) {
      const late = await makeMedia(directory, [
        '-itsoffset',
        '6',
        '-i',
        base,
        '-i',
        base,
        ...maps,
        '-c:a',
        'copy',
        name,
      ]);
      const made = await transcoded(media, late);
      expect(made.totalSeconds, name).toBeCloseTo(14, 0);
      expect(Math.max(...made.seconds), name).toBeLessThan(5.5);
    }
  });

  test('recordings that were joined are as long as both, and what a head claims is not believed', async (context) => {
    const media = await mediaOf(source, context);
    const part = await makeMedia(directory, ['-t', '4', '-i', base, '-c', 'copy', 'part.ts']);
    const bytes = await readFile(part);
    await writeFile(join(directory, 'joined.ts'), Buffer.concat([bytes, bytes]));
    const joined = await transcoded(media, join(directory, 'joined.ts'));
    expect(joined.totalSeconds).toBeCloseTo(8.1, 0);
    for (const claimed of [4, 18_000]) {
      const path = await claimLength(base, join(directory, `claims-${claimed}.mp4`), claimed);
      const made = await transcoded(media, path);
      expect(made.result.durationMs, String(claimed)).toBe(8000);
    }
  });

  test('pictures, streams and rates beyond the limits are refused for good, with what is allowed', async (context) => {
    const found = await mediaOf(source, context);
    const large = blackPng(7000, 6000);
    const huge = await writePngAvi(join(directory, 'huge.avi'), [large, large], [7000, 6000]);
    const grows = await writePngAvi(join(directory, 'grows.avi'), [blackPng(320, 240), large], [320, 240]);
    const streams = Array.from({ length: 12 }, () => ['-map', '0:a']).flat();
    const many = await makeMedia(directory, [
      '-i',
      base,
      '-map',
      '0:v',
      ...streams,
      '-c',
      'copy',
      'many.mkv',
    ]);
    const refusals = [
      [huge, 'PictureTooLarge', /\d+ × 6000 pixels; allowed: 35389440 pixels/],
      [grows, 'PictureTooLarge', /\d+ × 6000 pixels; allowed: 35389440 pixels/],
      [many, 'TooManyStreams', /more than 10 streams; allowed: 10/],
      [base, 'FrameRateTooHigh', /25 pictures a second; allowed: 10 a second/],
    ] as const;
    for (const [path, type, message] of refusals) {
      const maxFps = type === 'FrameRateTooHigh' ? 10 : 240;
      const media = { ...found, limits: { ...found.limits, maxStreams: 10, maxFps } };
      const bench = await makeTranscodeBench(media, path);
      await expect(bench.run(), type).rejects.toMatchObject({
        name: 'PermanentError',
        type,
        message: expect.stringMatching(message),
      });
    }
  });

  test('a file whose pictures are in another file is refused for good, and the other is not opened', async (context) => {
    const media = await mediaOf(source, context);
    const mov = await makeMedia(directory, ['-t', '1', '-i', base, '-c', 'copy', 'whole.mov']);
    const bench = await makeTranscodeBench(media, await referOutside(mov, directory, 'outside.mov'));
    await expect(bench.run()).rejects.toMatchObject({
      name: 'PermanentError',
      type: 'ExternalMedia',
      message: expect.stringContaining('allowed: a file that contains them'),
    });
  });

  test('interlaced pictures come out whole', async (context) => {
    const media = await mediaOf(source, context);
    const bar = ['-f', 'lavfi', '-i', 'color=white:s=40x200:r=50:d=1'];
    const path = await makeMedia(directory, [
      ...['-f', 'lavfi', '-i', 'color=black:s=320x240:r=50:d=1', ...bar],
      ...['-filter_complex', "overlay=x='8*n':y=20,tinterlace=interleave_top,format=yuv420p"],
      ...['-c:v', 'mpeg2video', '-q:v', '2', '-flags', '+ilme+ildct', '-top', '1', 'fields.mpg'],
    ]);
    expect(await combedPixels(path)).toBeGreaterThan(400);
    const bench = await makeTranscodeBench(media, path);
    await bench.run();
    expect(await combedPixels(await bench.store.localPath(`${PROXY}segment_r1_0.ts`))).toBeLessThan(40);
  });
});

/** Pixels of the tenth picture that are far lighter or darker than both the one above and the one below. */
async function combedPixels(path: string): Promise<number> {
  const raw = await makeMedia(directory, [
    ...['-i', path, '-vf', "select='eq(n,10)',format=gray", '-vsync', '0', '-frames:v', '1'],
    ...['-f', 'rawvideo', 'picture.gray'],
  ]);
  const gray = await readFile(raw);
  let combed = 0;
  for (let at = 320; at + 320 < gray.length; at++) {
    const above = (gray[at] as number) - (gray[at - 320] as number);
    const below = (gray[at] as number) - (gray[at + 320] as number);
    if (Math.min(above, below) > 100 || Math.max(above, below) < -100) combed++;
  }
  return combed;
}
