import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../src/core/outcome.ts';
import type { TranscodeResult } from '../../../../src/domains/videos/pipeline/stage-results.ts';
import { type HlsPlaylist, parseHlsPlaylist, variantNames } from '../../../../src/storage/hls-playlist.ts';
import { probe } from '../../../../workers/tools/ffprobe.ts';
import type { MediaInfo } from '../../../../workers/tools/media-info.ts';
import type { FoundMediaTools } from '../../../../workers/tools/media-tools.ts';
import { HDR_PATCHES, makeHdrPatches } from '../../../support/hdr.ts';
import {
  FAST_H264,
  forensicsSample,
  makeMedia,
  makeTranscodeBench,
  mediaOf,
  npmMedia,
  PICTURE,
  SAMPLE_PATH,
  systemMedia,
  TONE,
  type TranscodeBench,
  VIDEO_ID,
} from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

const PROXY = `videos/proxy/${VIDEO_ID}/`;

interface Stream {
  readonly result: TranscodeResult;
  readonly segments: readonly string[];
  readonly seconds: readonly number[];
  /** Segments of each rendition. */
  readonly renditions: readonly (readonly string[])[];
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
  const read = async (name: string) => await text((await bench.store.get(PROXY + name)).stream);
  const index = await read('index.m3u8');
  const renditions = variantNames(index) ?? [];
  const playlists = (renditions.length === 0 ? [index] : await Promise.all(renditions.map(read))).map(
    parseHlsPlaylist,
  );
  for (const { complete } of playlists) expect(complete).toBe(true);
  const [playlist] = playlists as [HlsPlaylist];
  const segments = playlist.segments.map(({ name }) => name);
  const named = [
    ...playlists.flatMap((rendition) => rendition.segments.map(({ name }) => PROXY + name)),
    ...renditions.map((name) => PROXY + name),
    `thumbs/${VIDEO_ID}/poster.jpg`,
    `${PROXY}index.m3u8`,
  ];
  expect(outcome.artifacts.map(({ key }) => key)).toEqual(named);
  const first = await bench.store.localPath(PROXY + segments[0]);
  return {
    result: outcome.result as TranscodeResult,
    segments,
    seconds: playlist.segments.map(({ durationSeconds }) => durationSeconds),
    renditions: playlists.map((rendition) => rendition.segments.map(({ name }) => name)),
    info: await probe(first, { ffprobePath: media.ffprobePath, formats: ['mpegts'] }),
    poster: await probe(await bench.store.localPath(`thumbs/${VIDEO_ID}/poster.jpg`), {
      ffprobePath: media.ffprobePath,
      formats: ['jpeg_pipe', 'image2'],
    }),
  };
}

/** The colours of a picture that is cut into N equal patches, by rows: what a viewer sees, 0 to 255. */
async function rgbOf(path: string, columns: number, rows: number): Promise<[number, number, number][]> {
  const { ffmpegPath } = await npmMedia();
  const size = `scale=${columns * 8}:${rows * 8}:flags=area:in_color_matrix=${path.endsWith('.jpg') ? 'bt601' : 'auto'}`;
  const args = [
    '-v',
    'error',
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    `${size},format=rgb24`,
    '-f',
    'rawvideo',
    '-',
  ];
  const { stdout } = await promisify(execFile)(ffmpegPath, args, { encoding: 'buffer' });
  return Array.from({ length: columns * rows }, (_, patch) => {
    const x = (patch % columns) * 8 + 4;
    const y = Math.floor(patch / columns) * 8 + 4;
    const at = 3 * (y * columns * 8 + x);
    return [stdout[at], stdout[at + 1], stdout[at + 2]] as [number, number, number];
  });
}

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('the sample becomes a stream of 4 s segments with sound, and a poster', async (context) => {
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
      renditions: [
        { widthPx: 1280, heightPx: 720 },
        { widthPx: 852, heightPx: 480 },
      ],
    });
    expect(stream.renditions[1]).toEqual([0, 1, 2, 3, 4, 5].map((n) => `segment_r1_480p_${n}.ts`));
    const low = await bench.store.localPath(`${PROXY}segment_r1_480p_0.ts`);
    const lowInfo = await probe(low, { ffprobePath: media.ffprobePath, formats: ['mpegts'] });
    expect(lowInfo).toMatchObject({ video: { widthPx: 852, heightPx: 480 }, audio: { codec: 'aac' } });
    // Else players would take the smaller picture's colours for those of standard definition.
    expect(lowInfo.video?.color).toEqual(stream.info.video?.color);
    expect(lowInfo.video?.color.matrix).toBe('bt709');
    expect(stream.info.video).toMatchObject({
      codec: 'h264',
      widthPx: 1280,
      heightPx: 720,
      pixelFormat: 'yuv420p',
    });
    expect(stream.info.audio).toMatchObject({ codec: 'aac', sampleRateHz: 48_000, channels: 2 });
    expect(stream.poster.video).toMatchObject({ codec: 'mjpeg', widthPx: 1280, heightPx: 720 });
    expect(await readdir(bench.tempParent)).toEqual([]);
    const stages = [...new Set(bench.progress.flatMap(({ stage }) => stage ?? []))];
    expect(stages).toEqual(['probe', 'transcode', 'upload', 'verify']);
    const percents = bench.progress.flatMap(({ percent }) => (typeof percent === 'number' ? [percent] : []));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
  });

  test('a video recorded in any position comes out upright, and its displayed size is reported', async (context) => {
    const media = await mediaOf(source, context);
    const directory = await makeTempDir();
    // How a camera held in that position sees an upright scene, red in its left upper corner.
    // (What writes the file takes the angle as counter-clockwise.)
    const positions = { 90: 'transpose=clock', 180: 'hflip,vflip', 270: 'transpose=cclock' };
    for (const [degrees, turned] of Object.entries(positions)) {
      const plain = await makeMedia(directory, [
        ...['-f', 'lavfi', '-i', 'color=blue:s=180x320:d=1,drawbox=w=90:h=160:color=red:t=fill'],
        ...['-vf', turned, ...FAST_H264, 'plain.mp4'],
      ]);
      const meta = ['-c', 'copy', '-metadata:s:v:0', `rotate=${degrees}`];
      const rotated = await makeMedia(directory, ['-i', plain, ...meta, 'rotated.mp4']);
      const bench = await makeTranscodeBench(media, rotated);
      const stream = await readStream(bench, media, await bench.run());
      expect(stream.result, degrees).toMatchObject({ widthPx: 180, heightPx: 320 });
      expect(stream.info.video, degrees).toMatchObject({ widthPx: 180, heightPx: 320, rotationDegrees: 0 });
      expect(stream.poster.video, degrees).toMatchObject({ widthPx: 180, heightPx: 320 });
      const shown = await rgbOf(await bench.store.localPath(`${PROXY}segment_r1_0.ts`), 2, 2);
      const isRed = shown.map(([r, _, b]) => r > 150 && b < 100);
      expect(isRed, degrees).toEqual([true, false, false, false]);
    }
  });

  test('odd sizes, stretched pixels and the absence of sound are no obstacle', async (context) => {
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

  test('a transport stream is taken as a source, too', async (context) => {
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

  test('a recording of a browser, which does not know its length, is measured', async (context) => {
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
    // It was measured before.
    expect(during.every(({ percent }) => typeof percent === 'number')).toBe(true);
  });

  test.for(['smpte2084', 'arib-std-b67'] as const)(
    'HDR (%s) becomes ordinary 8-bit video of the right colours',
    async (transfer, context) => {
      const media = await mediaOf(source, context);
      expect(media.zscale).toBe(true);
      // Between HLG and light lies a rule for the whole picture's brightness, which builds of zscale simplify
      // for strong colours.
      const tolerance = transfer === 'smpte2084' ? 14 : 26;
      const hdr = await makeHdrPatches(await makeTempDir(), transfer);
      const bench = await makeTranscodeBench(media, hdr);
      const stream = await readStream(bench, media, await bench.run());
      expect(stream.info.video).toMatchObject({
        pixelFormat: 'yuv420p',
        hdr: false,
        color: { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
      });
      for (const file of [`${PROXY}segment_r1_0.ts`, `thumbs/${VIDEO_ID}/poster.jpg`]) {
        const shown = await rgbOf(await bench.store.localPath(file), HDR_PATCHES.length, 1);
        for (const [index, { nits, rgb }] of HDR_PATCHES.entries())
          for (const [channel, value] of rgb.entries())
            expect(
              Math.abs((shown[index]?.[channel] ?? 999) - value),
              `${file}: ${nits}`,
            ).toBeLessThanOrEqual(tolerance);
      }
    },
  );

  test('of a file with a cover picture and a video the video is taken', async (context) => {
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

  test('a video of a single frame works', async (context) => {
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

  test('a screen recording of 120 frames a second is streamed at 60, and at no more than 1080 lines', async (context) => {
    const media = await mediaOf(source, context);
    const fast = await makeMedia(await makeTempDir(), [
      ...PICTURE('1440x2560', 0.25, 120),
      ...FAST_H264,
      'fast.mp4',
    ]);
    const bench = await makeTranscodeBench(media, fast);
    const stream = await readStream(bench, media, await bench.run());
    expect(stream.result).toMatchObject({ widthPx: 1440, heightPx: 2560, fps: 120 });
    expect(stream.info.video).toMatchObject({ widthPx: 1080, heightPx: 1920 });
    expect(stream.info.video?.fps).toBeLessThanOrEqual(61);
  });

  test('a phone clip of variable frame rate keeps its frames and its length', async (context) => {
    const media = await mediaOf(source, context);
    const bench = await makeTranscodeBench(media, forensicsSample(context, 'movie1/VID_20191220_170832.mp4'));
    const stream = await readStream(bench, media, await bench.run());
    expect(
      Math.abs(stream.seconds.reduce((a, b) => a + b, 0) * 1000 - stream.result.durationMs),
    ).toBeLessThan(1000);
    expect(stream.info.video?.fps).toBeLessThan(61);
  });
});

test('a real screen recording becomes a stream', async (context) => {
  const media = await systemMedia(context);
  const bench = await makeTranscodeBench(media, forensicsSample(context, 'movie2/movie-hello.mp4'));
  const stream = await readStream(bench, media, await bench.run());
  expect(stream.segments.length).toBeGreaterThanOrEqual(2);
  expect(Math.abs(stream.seconds.reduce((a, b) => a + b, 0) * 1000 - stream.result.durationMs)).toBeLessThan(
    1000,
  );
});

test('the same source gives byte for byte the same stream, of one thread', async () => {
  // Of more, the same pictures and sound: an encoder may write one of them in two ways.
  const found = await npmMedia();
  const media = { ...found, limits: { ...found.limits, threads: 1 } };
  const source = await makeMedia(await makeTempDir(), [
    ...[...PICTURE('320x180', 9), ...TONE(9), ...FAST_H264, '-c:a', 'aac', 'source.mp4'],
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
