import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../../src/core/errors.ts';
import { clipKey, originalKey } from '../../../../src/storage/video-keys.ts';
import { mediaToKeep } from '../../../../workers/handlers/videos/known-media.ts';
import { identityOf, type SourceIdentity } from '../../../../workers/handlers/videos/published.ts';
import { probe } from '../../../../workers/tools/ffprobe.ts';
import { VIDEO_FORMATS } from '../../../../workers/tools/media-formats.ts';
import {
  CLIP_ID,
  makeClipBench,
  NUMBERED_FPS,
  numberedVideo,
  readNumbers,
} from '../../../support/clip-bench.ts';
import { FAST_H264, makeMedia, mediaOf, npmMedia, PICTURE, TONE, VIDEO_ID } from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

const KEY = clipKey(VIDEO_ID, CLIP_ID);

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('a clip has the pictures of its range and no other, from the first to the last', async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 8, { more: TONE(8) }));
    const { result, path, info } = await bench.make({ t_start: 3000, t_end: 5000 });
    const numbers = await readNumbers(media, path);
    expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => 75 + n));
    expect(numbers[0]?.seconds).toBe(0);
    expect(result).toMatchObject({ objectKey: KEY, startMs: 3000, endMs: 5000, widthPx: 320, heightPx: 64 });
    expect(info.audio?.codec).toBe('aac');
    const bytes = await readFile(path);
    expect(result.sizeBytes).toBe(bytes.length);
    expect(result.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    // The index stands before the pictures, so that a player begins at once.
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('a clip that begins within a picture begins with that picture', async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 4));
    const { result, path } = await bench.make({ t_start: 1015, t_end: 1500 });
    const numbers = await readNumbers(media, path);
    expect(numbers[0]).toEqual({ seconds: 0, number: 25 });
    expect(numbers.at(-1)?.number).toBe(37);
    expect(result).toMatchObject({ startMs: 1015, endMs: 1500 });
  });

  test('a picture that stands for seconds, in a recording of a screen, is seen for as long in the clip', async (context) => {
    const media = await mediaOf(source, context);
    // Shown: 0 from 0 s, 10 from 0.4 s, 150 from 6 s, 160 from 6.4 s to the end at 8 s.
    const only = 'eq(n,0)+eq(n,10)+eq(n,150)+eq(n,160)+eq(n,199)';
    const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 8, { only }));
    const within = await bench.make({ t_start: 2000, t_end: 4000 });
    expect(within.info.durationSeconds).toBeCloseTo(2, 1);
    expect(new Set((await readNumbers(media, within.path)).map(({ number }) => number))).toEqual(
      new Set([10]),
    );
    bench.artifacts.length = 0;
    const across = await bench.make({ t_start: 5000, t_end: 7000 });
    const numbers = await readNumbers(media, across.path);
    expect(across.result).toMatchObject({ startMs: 5000, endMs: 7000 });
    for (const { seconds, number } of numbers) {
      // Half a picture of the 30 a second that it is given.
      const sure = [seconds - 0.02, seconds + 0.02].map((time) =>
        5 + time < 6 ? 10 : 5 + time < 6.4 ? 150 : 160,
      );
      expect(sure, `at ${seconds} s`).toContain(number);
    }
  });

  test('padding is added at both sides, as far as the video reaches, and the real times are reported', async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 4));
    const whole = await bench.make({ t_start: 500, t_end: 60_000, padding_ms: 2000 });
    expect(whole.result).toMatchObject({ startMs: 0, endMs: 4000 });
    expect(await readNumbers(media, whole.path)).toHaveLength(4 * NUMBERED_FPS);
  });
});

test('a start past the end fails for good and names the length; nothing is stored', async () => {
  const bench = await makeClipBench(await npmMedia(), await numberedVideo(await makeTempDir(), 2));
  await expect(bench.run({ t_start: 2000, t_end: 3000, padding_ms: 2000 })).rejects.toMatchObject({
    name: 'PermanentError',
    type: 'ClipOutOfRange',
    message: 't_start is 2000 ms; allowed: below 2000 ms, the length of the video',
  });
  expect(await bench.store.stat(KEY)).toBeNull();
});

test('a start past the end of a recording that does not state its length fails for good', async () => {
  const directory = await makeTempDir();
  // A browser's recording: written to a pipe, so its head knows no length.
  const webm = await makeMedia(directory, [
    ...[...PICTURE('160x90', 2), '-c:v', 'libvpx', '-b:v', '200k', '-live', '1', '-f', 'webm', 'live.webm'],
  ]);
  const bench = await makeClipBench(await npmMedia(), webm);
  await expect(bench.run({ t_start: 5000, t_end: 6000 })).rejects.toMatchObject({ type: 'ClipOutOfRange' });
  const { result } = await bench.make({ t_start: 1500, t_end: 6000 });
  expect(result.startMs).toBe(1500);
  expect(result.endMs).toBeGreaterThanOrEqual(1900);
  expect(result.endMs).toBeLessThanOrEqual(2100);
});

test('a missing original and a payload that does not agree with its job fail for good', async () => {
  const bench = await makeClipBench(await npmMedia(), null);
  await expect(bench.run({})).rejects.toMatchObject({ name: 'PermanentError', type: 'S3ObjectNotFound' });
  await expect(
    bench.run({ t_start: 5, t_end: 5, s3_original_path: 'videos/original/x/master.mp4' }),
  ).rejects.toMatchObject({
    type: 'InvalidPayload',
  });
  await expect(bench.run({}, { subject: { type: 'clip', id: VIDEO_ID } })).rejects.toMatchObject({
    type: 'InvalidPayload',
  });
});

test('a turned phone video with odd sizes and no sound gives an upright clip with even sizes', async () => {
  const directory = await makeTempDir();
  await makeMedia(directory, [...PICTURE('322x182', 2), ...FAST_H264, 'flat.mp4']);
  const turned = await makeMedia(directory, [
    ...['-i', 'flat.mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90', 'turned.mp4'],
  ]);
  const bench = await makeClipBench(await npmMedia(), turned);
  const { result, info } = await bench.make({ t_start: 500, t_end: 1500 });
  expect(result).toMatchObject({ widthPx: 182, heightPx: 322, startMs: 500, endMs: 1500 });
  expect(info.audio).toBeNull();
  expect(info.video).toMatchObject({ rotationDegrees: 0, pixelFormat: 'yuv420p' });
});

test('HDR becomes ordinary 8-bit video that says so', async () => {
  const hdr = await makeMedia(await makeTempDir(), [
    ...[...PICTURE('320x180', 2), '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
    ...['-x265-params', 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'],
    ...['-tag:v', 'hvc1', 'hdr.mp4'],
  ]);
  const media = await npmMedia();
  expect(media.zscale).toBe(true);
  const bench = await makeClipBench(media, hdr);
  const { info, result } = await bench.make({ t_start: 500, t_end: 1000 });
  expect(result).toMatchObject({ startMs: 500, endMs: 1000, widthPx: 320 });
  expect(info.video).toMatchObject({
    pixelFormat: 'yuv420p',
    hdr: false,
    color: { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', range: 'tv' },
  });
});

test('a second run finds the clip made and makes nothing; one whose file is gone makes it again', async () => {
  const media = await npmMedia();
  const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 2));
  const first = await bench.run({});
  const noProgram = { ...media, ffmpegPath: '/no/such/ffmpeg', ffprobePath: '/no/such/ffprobe' };
  const own = { media: noProgram };
  expect(await bench.run({}, { runNo: 2, own })).toEqual(first);
  await bench.store.delete(KEY);
  expect(await bench.run({}, { runNo: 3 })).toEqual(first);
  expect(await bench.store.stat(KEY)).not.toBeNull();
});

test('a run that was overtaken publishes nothing', async () => {
  const bench = await makeClipBench(await npmMedia(), await numberedVideo(await makeTempDir(), 2));
  const fence = () => Promise.reject(new DomainError('LostLease', 'Another run has the job'));
  await expect(bench.run({}, { fence })).rejects.toMatchObject({ code: 'LostLease' });
  expect(await bench.store.stat(KEY)).toBeNull();
});

test('progress names its stages and never goes back', async () => {
  const bench = await makeClipBench(await npmMedia(), await numberedVideo(await makeTempDir(), 4));
  await bench.run({ t_start: 0, t_end: 4000 });
  expect([...new Set(bench.progress.map(({ stage }) => stage))]).toEqual([
    'probe',
    'clip',
    'verify',
    'upload',
  ]);
  const percents = bench.progress.map(({ percent }) => percent ?? 0);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.at(-1)).toBe(100);
});

test('of an original that transcode has looked at no program asks again, and the clip is the same', async () => {
  const media = await npmMedia();
  const path = await numberedVideo(await makeTempDir(), 6);
  const bench = await makeClipBench(media, path);
  const range = { t_start: 1_234, t_end: 3_456 };
  const asked = await bench.make(range);
  const stat = await bench.store.stat(originalKey(VIDEO_ID));
  if (stat === null) throw new Error('the original is not there');
  const info = await probe(path, { ffprobePath: media.ffprobePath, formats: VIDEO_FORMATS });
  const seen: unknown[] = [];
  const playlist = (source: SourceIdentity) => ({
    artifacts: {
      find: async (kind?: string, subject?: unknown) => {
        if (kind !== 'hls_playlist') return [];
        seen.push(subject);
        return [{ kind, key: 'x', metadata: { source, media: mediaToKeep(info) } }] as never;
      },
    },
    tools: { storage: bench.store, tempDir: () => makeTempDir() } as never,
    own: { media: { ...media, ffprobePath: '/nonexistent/ffprobe' } },
  });
  const outcome = await bench.run(range, playlist(identityOf(stat)));
  expect(outcome).toMatchObject({ kind: 'done', result: asked.result });
  expect(seen).toEqual([{ type: 'video', id: VIDEO_ID }]);
  // Of another original it says nothing: this one is asked.
  const another = { ...identityOf(stat), sizeBytes: 1 };
  await expect(bench.run(range, playlist(another))).rejects.toThrow('ffprobe');
});
