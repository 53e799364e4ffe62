import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/core/outcome.ts';
import type { TranscodeResult } from '../../src/core/pipelines/video.ts';
import { probe } from '../../workers/tools/ffprobe.ts';
import { parseHlsPlaylist } from '../../workers/tools/hls-playlist.ts';
import type { MediaInfo } from '../../workers/tools/media-info.ts';
import type { FoundMediaTools } from '../../workers/tools/media-tools.ts';
import {
  FAST_H264,
  forensicsSample,
  makeMedia,
  makeTranscodeBench,
  mediaOf,
  npmMedia,
  PICTURE,
  SAMPLE_PATH,
  TONE,
  type TranscodeBench,
  VIDEO_ID,
} from '../support/media.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const PROXY = `videos/proxy/${VIDEO_ID}/`;
const TIMEOUT_MS = 180_000;

interface Stream {
  readonly result: TranscodeResult;
  readonly segments: readonly string[];
  readonly seconds: readonly number[];
  readonly info: MediaInfo;
  readonly poster: MediaInfo;
}

/**
 * What is published, read back from the store: every file is there with the size and hash that its artifact
 * says.
 */
async function readStream(bench: TranscodeBench, media: FoundMediaTools, outcome: Outcome): Promise<Stream> {
  if (outcome.kind !== 'done') throw new Error(`not done but ${outcome.kind}`);
  for (const { key, sizeBytes, sha256 } of outcome.artifacts) {
    const bytes = await buffer((await bench.store.get(key)).stream);
    expect(bytes.length, key).toBe(sizeBytes);
    expect(bytes.length, key).toBeGreaterThan(0);
    expect(createHash('sha256').update(bytes).digest('hex'), key).toBe(sha256);
  }
  const playlist = parseHlsPlaylist(await text((await bench.store.get(`${PROXY}index.m3u8`)).stream));
  expect(playlist.complete).toBe(true);
  const segments = playlist.segments.map(({ name }) => name);
  const named = [
    ...segments.map((name) => PROXY + name),
    `thumbs/${VIDEO_ID}/poster.jpg`,
    `${PROXY}index.m3u8`,
  ];
  expect(outcome.artifacts.map(({ key }) => key)).toEqual(named);
  const first = await bench.store.localPath(PROXY + segments[0]);
  return {
    result: outcome.result as TranscodeResult,
    segments,
    seconds: playlist.segments.map(({ durationSeconds }) => durationSeconds),
    info: await probe(first, { ffprobePath: media.ffprobePath, formats: ['mpegts'] }),
    poster: await probe(await bench.store.localPath(`thumbs/${VIDEO_ID}/poster.jpg`), {
      ffprobePath: media.ffprobePath,
      formats: ['jpeg_pipe', 'image2'],
    }),
  };
}

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('the sample becomes a stream of 4 s segments with sound, and a poster', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeTranscodeBench(media, SAMPLE_PATH);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.segments).toEqual([0, 1, 2, 3, 4, 5].map((n) => `segment_r1_${n}.ts`));
    expect(stream.seconds.slice(0, 5)).toEqual([4, 4, 4, 4, 4]);
    expect(stream.result).toEqual({
      playlistKey: `${PROXY}index.m3u8`,
      posterKey: `thumbs/${VIDEO_ID}/poster.jpg`,
      durationMs: expect.toSatisfy((ms: number) => ms >= 23_754 && ms <= 23_755),
      widthPx: 1280,
      heightPx: 720,
      fps: 15,
      segmentCount: 6,
    });
    expect(stream.info.video).toMatchObject({
      codec: 'h264',
      widthPx: 1280,
      heightPx: 720,
      pixelFormat: 'yuv420p',
    });
    expect(stream.info.audio).toMatchObject({ codec: 'aac', sampleRateHz: 48_000, channels: 2 });
    expect(stream.poster.video).toMatchObject({ codec: 'mjpeg', widthPx: 1280, heightPx: 720 });
    expect(await readdir(bench.tempParent)).toEqual([]);
    const stages = [...new Set(bench.progress.map(({ stage }) => stage))];
    expect(stages).toEqual(
      ['probe', 'transcode', 'upload', 'verify', 'poster', 'upload'].filter(
        (s, i, all) => all.indexOf(s) === i,
      ),
    );
    const percents = bench.progress.flatMap(({ percent }) => (typeof percent === 'number' ? [percent] : []));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
  });

  test('a phone video held upright comes out upright, and its displayed size is told', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const directory = await makeTempDir();
    const plain = await makeMedia(directory, [...PICTURE('320x180', 2), ...FAST_H264, 'plain.mp4']);
    const rotated = await makeMedia(directory, [
      '-i',
      plain,
      '-c',
      'copy',
      '-metadata:s:v:0',
      'rotate=90',
      'rotated.mp4',
    ]);
    const bench = await makeTranscodeBench(media, rotated);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result).toMatchObject({ widthPx: 180, heightPx: 320 });
    expect(stream.info.video).toMatchObject({ widthPx: 180, heightPx: 320, rotationDegrees: 0 });
    expect(stream.poster.video).toMatchObject({ widthPx: 180, heightPx: 320 });
  });

  test('odd sizes, stretched pixels and the absence of sound are no obstacle', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const odd = await makeMedia(await makeTempDir(), [
      ...[
        ...PICTURE('320x180', 1),
        '-vf',
        'scale=321:181,setsar=2',
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv444p',
        'odd.mkv',
      ],
    ]);
    const bench = await makeTranscodeBench(media, odd);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result).toMatchObject({ widthPx: 642, heightPx: 181, segmentCount: 1 });
    expect(stream.info.video).toMatchObject({ widthPx: 642, heightPx: 180, pixelFormat: 'yuv420p' });
    expect(stream.info.audio).toBeNull();
  });

  test('a transport stream is taken as a source, too', { timeout: TIMEOUT_MS }, async (context) => {
    const media = await mediaOf(source, context);
    const recording = await makeMedia(await makeTempDir(), [
      ...[
        ...PICTURE('320x180', 5),
        ...TONE(5),
        ...FAST_H264,
        '-c:a',
        'aac',
        '-output_ts_offset',
        '5000',
        'tv.ts',
      ],
    ]);
    const bench = await makeTranscodeBench(media, recording);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.seconds[0]).toBe(4);
    expect(stream.result.durationMs).toBeGreaterThan(4900);
    expect(stream.result.durationMs).toBeLessThan(5200);
  });

  test('a recording of a browser, which does not know its length, is measured', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    // As MediaRecorder writes it: to a stream, so the head cannot be completed afterwards.
    const webm = await makeMedia(await makeTempDir(), [
      ...[...PICTURE('320x180', 6), ...TONE(6), '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'],
      ...['-f', 'webm', '-live', '1', 'browser.webm'],
    ]);
    const bench = await makeTranscodeBench(media, webm);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result.durationMs).toBeGreaterThan(5900);
    expect(stream.result.durationMs).toBeLessThan(6200);
    const during = bench.progress.filter(({ stage }) => stage === 'transcode');
    expect(during.length).toBeGreaterThan(0);
    expect(during.every(({ percent }) => percent === null)).toBe(true);
  });

  test('HDR is turned into ordinary 8-bit video', { timeout: TIMEOUT_MS }, async (context) => {
    const media = await mediaOf(source, context);
    const hdr = await makeMedia(await makeTempDir(), [
      ...[
        ...PICTURE('320x180', 1),
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p10le',
        '-tag:v',
        'hvc1',
      ],
      ...[
        '-x265-params',
        'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
        'hdr.mp4',
      ],
    ]);
    expect(
      (await probe(hdr, { ffprobePath: media.ffprobePath, formats: ['mov,mp4,m4a,3gp,3g2,mj2'] })).video?.hdr,
    ).toBe(true);
    const bench = await makeTranscodeBench(media, hdr);
    const stream = await readStream(bench, media, await bench.run());
    expect(media.zscale).toBe(true);
    expect(stream.info.video).toMatchObject({ pixelFormat: 'yuv420p', hdr: false });
  });

  test('of a file with a cover picture and a video the video is taken', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const directory = await makeTempDir();
    const cover = await makeMedia(directory, [...PICTURE('100x100', 1), '-frames:v', '1', 'cover.png']);
    const video = await makeMedia(directory, [...PICTURE('320x180', 1), ...FAST_H264, 'video.mp4']);
    const both = await makeMedia(directory, [
      ...[
        '-i',
        cover,
        '-i',
        video,
        '-map',
        '0',
        '-map',
        '1',
        '-c',
        'copy',
        '-disposition:v:0',
        'attached_pic',
        'both.mp4',
      ],
    ]);
    const bench = await makeTranscodeBench(media, both);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result).toMatchObject({ widthPx: 320, heightPx: 180 });
    expect(stream.info.video).toMatchObject({ widthPx: 320, heightPx: 180 });
  });

  test('a video of a single frame works', { timeout: TIMEOUT_MS }, async (context) => {
    const media = await mediaOf(source, context);
    const single = await makeMedia(await makeTempDir(), [
      ...PICTURE('320x180', 1),
      '-frames:v',
      '1',
      ...FAST_H264,
      'one.mp4',
    ]);
    const bench = await makeTranscodeBench(media, single);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.segments).toEqual(['segment_r1_0.ts']);
    expect(stream.poster.video).toMatchObject({ widthPx: 320 });
  });

  test('a screen recording of 120 frames a second is streamed at 60, and at no more than 1080 lines', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const fast = await makeMedia(await makeTempDir(), [
      ...PICTURE('1440x2560', 0.5, 120),
      ...FAST_H264,
      'fast.mp4',
    ]);
    const bench = await makeTranscodeBench(media, fast);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result).toMatchObject({ widthPx: 1440, heightPx: 2560, fps: 120 });
    expect(stream.info.video).toMatchObject({ widthPx: 1080, heightPx: 1920 });
    expect(stream.info.video?.fps).toBeLessThanOrEqual(61);
  });

  test('a real screen recording becomes a stream', { timeout: TIMEOUT_MS }, async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeTranscodeBench(media, forensicsSample(context, 'movie2/movie-hello.mp4'));
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.segments.length).toBeGreaterThanOrEqual(2);
    expect(
      Math.abs(stream.seconds.reduce((a, b) => a + b, 0) * 1000 - stream.result.durationMs),
    ).toBeLessThan(1000);
  });

  test('a phone clip of variable frame rate keeps its frames and its length', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeTranscodeBench(media, forensicsSample(context, 'movie1/VID_20191220_170832.mp4'));
    const stream = await readStream(bench, media, await bench.run());
    expect(
      Math.abs(stream.seconds.reduce((a, b) => a + b, 0) * 1000 - stream.result.durationMs),
    ).toBeLessThan(1000);
    expect(stream.info.video?.fps).toBeLessThan(61);
  });
});

test('the same source gives byte for byte the same stream', { timeout: TIMEOUT_MS }, async () => {
  const media = await npmMedia();
  const source = await makeMedia(await makeTempDir(), [
    ...[...PICTURE('640x360', 9), ...TONE(9), ...FAST_H264, '-c:a', 'aac', 'source.mp4'],
  ]);
  const hashes = async () => {
    const bench = await makeTranscodeBench(media, source);
    const outcome = await bench.run();
    return outcome.kind === 'done' ? outcome.artifacts.map(({ key, sha256 }) => [key, sha256]) : [];
  };
  const first = await hashes();
  // Three segments, a poster, a playlist.
  expect(first).toHaveLength(5);
  expect(await hashes()).toEqual(first);
  expect((await readFile(SAMPLE_PATH)).length).toBeLessThan(2_000_000);
});
