import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseHlsPlaylist,
  renderMasterPlaylist,
  renderMediaPlaylist,
  variantNames,
} from '../../../src/storage/hls-playlist.ts';
import { clipArgs } from '../../../workers/tools/clip-args.ts';
import { colorOf } from '../../../workers/tools/color.ts';
import { inputArgs, probeArgs } from '../../../workers/tools/ffmpeg-args.ts';
import { type FfmpegProgress, FfmpegProgressReader } from '../../../workers/tools/ffmpeg-progress.ts';
import { frameArgs } from '../../../workers/tools/frame-args.ts';
import { hlsArgs } from '../../../workers/tools/hls-args.ts';
import { ladderOf } from '../../../workers/tools/ladder.ts';
import { throwIfFailed } from '../../../workers/tools/media-error.ts';
import { parseMediaInfo, type VideoStream } from '../../../workers/tools/media-info.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../workers/tools/media-limits.ts';
import { pictureArgs } from '../../../workers/tools/ocr/picture-args.ts';
import type { ProcessResult } from '../../../workers/tools/process-spec.ts';
import { fitWithin, videoFilters } from '../../../workers/tools/video-filters.ts';

function infoOf(stream: object, format: object = {}) {
  const video = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080, ...stream };
  return parseMediaInfo(JSON.stringify({ streams: [video], format: { format_name: 'mov', ...format } }));
}

function failed(stderr: string, end: ProcessResult['end'] = { how: 'exited', exitCode: 1 }): ProcessResult {
  return {
    end,
    processEnd: end,
    stderr,
    stdout: '',
    durationMs: 1,
    stdoutOmittedBytes: 0,
    memoryLimitBytes: null,
  };
}

test('rotation is read from side data and from the older tag, and turns the displayed size', () => {
  const upright = { displayWidthPx: 1080, displayHeightPx: 1920 };
  expect(infoOf({ side_data_list: [{ rotation: -90 }] }).video).toMatchObject({
    rotationDegrees: 90,
    ...upright,
  });
  expect(infoOf({ side_data_list: [{ rotation: 90 }] }).video).toMatchObject({
    rotationDegrees: 270,
    ...upright,
  });
  expect(infoOf({ tags: { rotate: '90' } }).video).toMatchObject({ rotationDegrees: 90, ...upright });
  expect(infoOf({ side_data_list: [{ rotation: -180 }] }).video).toMatchObject({
    rotationDegrees: 180,
    displayWidthPx: 1920,
  });
  expect(infoOf({ tags: { rotate: 'sideways' } }).video).toMatchObject({ rotationDegrees: 0 });
});

test('pictures that are no video, undecodable streams and nonsense numbers are seen through', () => {
  expect(infoOf({ disposition: { attached_pic: 1 } })).toMatchObject({ video: null, coverArt: true });
  expect(infoOf({ codec_name: 'unknown' }).video).toBeNull();
  expect(infoOf({ codec_name: undefined }).video).toBeNull();
  expect(infoOf({ width: 0 }).video).toBeNull();
  expect(infoOf({ avg_frame_rate: '0/0', r_frame_rate: '1000/1' }).video?.fps).toBeNull();
  expect(infoOf({ avg_frame_rate: '30000/1001' }).video?.fps).toBeCloseTo(29.97);
  expect(infoOf({ sample_aspect_ratio: '0:1' }).video?.displayWidthPx).toBe(1920);
  expect(infoOf({ color_transfer: 'smpte2084' }).video?.hdr).toBe(true);
  expect(infoOf({}, { duration: 'N/A' }).durationSeconds).toBeNull();
  expect(infoOf({}, { duration: '12.5', size: '99' })).toMatchObject({
    durationSeconds: 12.5,
    sizeBytes: 99,
  });
  expect(() => parseMediaInfo('{}')).toThrow('no format');
});

test('of several sound tracks the first that can be decoded is taken', () => {
  const audio = (index: number, codec_name?: string) => ({ index, codec_type: 'audio', codec_name });
  const streams = [audio(1), audio(2, 'none'), audio(3, 'aac'), audio(4, 'mp3')];
  expect(parseMediaInfo(JSON.stringify({ streams, format: { format_name: 'mov' } })).audio).toMatchObject({
    index: 3,
    codec: 'aac',
  });
});

test('sizes are even, within the limits, never larger than the source and of its shape', () => {
  const side = fc.integer({ min: 2, max: 10_000 });
  fc.assert(
    fc.property(side, side, (widthPx, heightPx) => {
      const size = fitWithin(widthPx, heightPx, 1920, 1080);
      const sides = [size.widthPx, size.heightPx];
      expect(sides.every((px) => px >= 2 && px % 2 === 0)).toBe(true);
      expect(Math.max(...sides)).toBeLessThanOrEqual(1920);
      expect(Math.min(...sides)).toBeLessThanOrEqual(1080);
      expect(size.widthPx).toBeLessThanOrEqual(widthPx);
      expect(size.heightPx).toBeLessThanOrEqual(heightPx);
      const ratio = Math.min(1, 1920 / Math.max(widthPx, heightPx), 1080 / Math.min(widthPx, heightPx));
      expect(Math.abs(size.widthPx - widthPx * ratio)).toBeLessThanOrEqual(2);
    }),
  );
});

test('HDR is mapped only by an ffmpeg that can, and only fast video is slowed down', () => {
  const video = { hdr: true, fps: 120, pixelFormat: 'yuv420p10le', color: {} } as VideoStream;
  const size = { widthPx: 1920, heightPx: 1080 };
  expect(videoFilters(video, size, { zscale: true, maxFps: 60 })).toMatch(
    /^fps=60,scale=1920:1080,setsar=1,zscale.*tonemap.*format=yuv420p$/,
  );
  expect(videoFilters(video, size, { zscale: false, maxFps: 60 })).not.toContain('zscale');
  expect(videoFilters({ ...video, fps: 59.94, hdr: false }, size, { zscale: true, maxFps: 60 })).toBe(
    'scale=1920:1080:out_range=tv,setsar=1,format=yuv420p',
  );
});

test('a path is never an option or a protocol, and limits stand before it', () => {
  const formats = ['mov,mp4,m4a,3gp,3g2,mj2', 'avi'];
  for (const path of ['/a/-i.mp4', '/a/http:x', '/a/b c"d\u2019%d.mp4']) {
    const args = inputArgs(path, formats);
    expect(args.slice(-2)).toEqual(['-i', `file:${path}`]);
    expect(args.slice(0, 4)).toEqual([
      '-protocol_whitelist',
      'file,crypto,data,pipe',
      '-format_whitelist',
      formats.join(','),
    ]);
  }
  for (const path of ['-i.mp4', 'http://x/y', 'x.mp4', '']) {
    expect(() => inputArgs(path, formats), path).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
    expect(() => probeArgs(path, formats), path).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
  }
});

test('the encoder\u2019s arguments name the probed streams and suit the ffmpeg available', () => {
  const info = parseMediaInfo(
    JSON.stringify({
      streams: [
        {
          index: 0,
          codec_type: 'video',
          codec_name: 'png',
          width: 10,
          height: 10,
          disposition: { attached_pic: 1 },
        },
        {
          ...{ index: 2, codec_type: 'video', codec_name: 'h264', width: 1280, height: 720 },
          field_order: 'progressive',
        },
        { index: 3, codec_type: 'audio', codec_name: 'aac' },
      ],
      format: { format_name: 'mov,mp4,m4a,3gp,3g2,mj2' },
    }),
  );
  if (info.video === null) throw new Error('no video');
  const job = {
    inputPath: '/v/in',
    info,
    video: info.video,
    generation: 7,
    formats: ['avi'],
    timing: { endSeconds: 10, isSteady: true, soundHasHoles: false },
  };
  const old = hlsArgs(job, { fpsMode: false, zscale: true, limits: DEFAULT_MEDIA_LIMITS }).join(' ');
  expect(old).toContain(
    '-filter_complex [0:2]scale=1280:720:out_range=tv,setsar=1,format=yuv420p,split=4[v0][s1][first][specks];',
  );
  expect(old).toContain('[s1]scale=852:480,setsar=1[v1];[first]');
  expect(old).toContain('[poster] -map [v0] -map 0:3');
  expect(old).toContain('-vsync vfr');
  expect(old).toMatch(
    /-hls_segment_filename segment_r7_%d.ts stream_r7.m3u8 -map \[v1\] -map 0:3 .* segment_r7_480p_%d.ts stream_r7_480p.m3u8/,
  );
  expect(hlsArgs(job, { fpsMode: true, zscale: true, limits: DEFAULT_MEDIA_LIMITS }).join(' ')).toContain(
    '-fps_mode vfr',
  );
  expect(
    hlsArgs(
      { ...job, info: { ...info, audio: null } },
      { fpsMode: true, zscale: true, limits: DEFAULT_MEDIA_LIMITS },
    ),
  ).toContain('-an');
  const small = { ...info.video, displayWidthPx: 640, displayHeightPx: 360 };
  const one = hlsArgs(
    { ...job, video: small },
    { fpsMode: true, zscale: true, limits: DEFAULT_MEDIA_LIMITS },
  ).join(' ');
  expect(one).toMatch(
    /-i file:\/v\/in -filter_complex \[0:2\]scale=640:360.*,split=3\[v0\]\[first\]\[specks\];/,
  );
  expect(one).not.toContain('480p');
});

test('a source of more than 600 lines has two renditions, whichever way it is held', () => {
  const sizes = (displayWidthPx: number, displayHeightPx: number) =>
    ladderOf({ displayWidthPx, displayHeightPx }).map(({ size }) => `${size.widthPx}x${size.heightPx}`);
  expect(sizes(3840, 2160)).toEqual(['1920x1080', '852x480']);
  expect(sizes(1080, 1920)).toEqual(['1080x1920', '480x852']);
  expect(sizes(3440, 1440)).toEqual(['1920x802', '1120x468']);
  expect(sizes(1066, 600)).toEqual(['1066x600']);
  expect(sizes(641, 361)).toEqual(['640x360']);
});

test('the colours of a source are kept and declared, and those of HDR and RGB become ordinary ones', () => {
  const of = (stream: object) => infoOf(stream).video as VideoStream;
  expect(colorOf(of({}), false)).toMatchObject({ matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' });
  expect(colorOf(of({ height: 480, width: 640 }), false)).toMatchObject({ matrix: null, range: 'tv' });
  const ntsc = { color_space: 'smpte170m', color_primaries: 'smpte170m', color_transfer: 'unknown' };
  expect(colorOf(of(ntsc), false)).toMatchObject({
    matrix: 'smpte170m',
    primaries: 'smpte170m',
    transfer: null,
  });
  expect(colorOf(of({ color_space: 'gbr', pix_fmt: 'gbrp' }), true)).toMatchObject({ matrix: 'bt709' });
  const size = { widthPx: 640, heightPx: 360 };
  expect(videoFilters(of({ pix_fmt: 'bgr0' }), size, { zscale: true, maxFps: 60 })).toContain(
    'out_color_matrix=bt709',
  );
  // What the file leaves open is said for it: zscale refuses to guess.
  const filters = videoFilters(of({ color_transfer: 'smpte2084' }), size, { zscale: true, maxFps: 60 });
  expect(filters).toContain('tin=smpte2084:pin=bt2020:min=bt2020nc:rin=tv');
});

test('playlists that we write are read back, and a master is distinguished from one of segments', () => {
  const segments = [
    { name: 'segment_r1_0.ts', durationSeconds: 4 },
    { name: 'segment_r1_1.ts', durationSeconds: 12.52 },
  ];
  for (const complete of [false, true]) {
    const text = renderMediaPlaylist(segments, complete);
    expect(parseHlsPlaylist(text)).toEqual({
      segments,
      complete,
      targetDurationSeconds: 13,
      durationSeconds: 16.52,
    });
    expect(text.includes('#EXT-X-PLAYLIST-TYPE:EVENT')).toBe(!complete);
    expect(variantNames(text)).toBeNull();
  }
  const variant = {
    widthPx: 852,
    heightPx: 480,
    peakBitsPerSecond: 900_000.2,
    averageBitsPerSecond: 500_000,
  };
  const master = renderMasterPlaylist([{ ...variant, name: 'stream_r1.m3u8' }]);
  expect(variantNames(master)).toEqual(['stream_r1.m3u8']);
  expect(master).toContain('BANDWIDTH=900001,AVERAGE-BANDWIDTH=500000,RESOLUTION=852x480');
});

test('progress is reported when the output has grown, and not when ffmpeg only repeats itself', () => {
  const reader = new FfmpegProgressReader();
  const reports: FfmpegProgress[] = [];
  const block = (frame: number, us: string, speed: string) => [
    'fps=1',
    `frame=${frame}`,
    `out_time_us=${us}`,
    `speed=${speed}`,
    'progress=continue',
  ];
  const lines = [
    ...block(0, 'N/A', 'N/A'),
    ...block(10, '400000', '1.5x'),
    ...block(10, '400000', '1.2x'),
    ...block(12, '-9', ' 0.9x'),
    'garbage',
    '=',
    '',
  ];
  for (const line of lines) {
    const report = reader.read(line);
    if (report !== null) reports.push(report);
  }
  expect(reports).toEqual([
    { outSeconds: 0, frames: 0, speed: null },
    { outSeconds: 0.4, frames: 10, speed: 1.5 },
    { outSeconds: 0.4, frames: 12, speed: 0.9 },
  ]);
});

test('a playlist lists its segments, their sum and whether it is complete', () => {
  const text = '#EXTM3U\r\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.000000,\na.ts\n#EXTINF:1.5,\nb.ts\n';
  expect(parseHlsPlaylist(text)).toEqual({
    segments: [
      { name: 'a.ts', durationSeconds: 4 },
      { name: 'b.ts', durationSeconds: 1.5 },
    ],
    complete: false,
    targetDurationSeconds: 4,
    durationSeconds: 5.5,
  });
  expect(parseHlsPlaylist(`${text}#EXT-X-ENDLIST`).complete).toBe(true);
  expect(() => parseHlsPlaylist('a.ts')).toThrow('#EXTM3U');
  expect(() => parseHlsPlaylist('#EXTM3U\na.ts')).toThrow('no #EXTINF');
});

test('what a retry may fix and what it may not are distinguished, and no path of ours is in the message', () => {
  const errorOf = (result: ProcessResult): unknown => {
    try {
      throwIfFailed('ffmpeg', result, undefined);
      return null;
    } catch (error) {
      return error;
    }
  };
  expect(errorOf(failed('', { how: 'exited', exitCode: 0 }))).toBeNull();
  expect(errorOf(failed('x: Invalid data found when processing input'))).toMatchObject({
    name: 'PermanentError',
    type: 'NotAVideo',
  });
  expect(errorOf(failed('Decoder (codec prores_raw) not found for input stream #0:0'))).toMatchObject({
    type: 'UnsupportedCodec',
  });
  const full = failed(
    'av_interleaved_write_frame(): No space left on device\nInvalid data found when processing input',
  );
  expect(errorOf(full)).toMatchObject({ name: 'MediaToolError', reason: 'diskFull' });
  expect(errorOf({ ...full, end: { how: 'exited', exitCode: 0 } })).toMatchObject({ reason: 'diskFull' });
  expect(errorOf(failed('', { how: 'stalled', stallTimeoutMs: 120_000 }))).toMatchObject({
    reason: 'stalled',
    message: expect.stringContaining('no progress for 120 s'),
  });
  expect(errorOf(failed('', { how: 'timedOut', timeoutMs: 600_000 }))).toMatchObject({
    reason: 'timedOut',
    message: expect.stringContaining('600 s'),
  });
  const odd = errorOf(
    failed(
      '[mov @ 0x55d0c0ffee] strange\nfile:/var/lib/millrace/storage/videos/original/1/master.mp4: it broke',
    ),
  );
  expect(odd).toMatchObject({
    reason: 'failed',
    message: 'ffmpeg failed with exit code 1: [mov] strange | master.mp4: it broke',
  });
  const abort = AbortSignal.abort(new Error('why'));
  expect(() => throwIfFailed('ffmpeg', failed('', { how: 'aborted' }), abort)).toThrow('why');
});

test('whatever decodes has a limit of pixels and of threads, before its input', () => {
  const limits = { maxPixels: 1234, maxFps: 60, maxStreams: 7, threads: 3 };
  const features = { fpsMode: true, zscale: true, limits };
  const info = infoOf({ field_order: 'tt' });
  if (info.video === null) throw new Error('no video');
  const job = { inputPath: '/v/in', info, video: info.video, formats: ['avi'] };
  const timing = { endSeconds: 10, isSteady: false, soundHasHoles: true };
  const cut = { seekSeconds: 0, firstSeconds: 0, startSeconds: 0, endSeconds: 1, constantFps: null };
  const size = { widthPx: 8, heightPx: 8 };
  const runs = [
    hlsArgs({ ...job, generation: 1, timing }, features),
    frameArgs({ ...job, targetFps: 10 }, features),
    clipArgs({ ...job, cut, outputName: 'clip.mp4' }, features),
    pictureArgs({ frames: 'f-%d.jpg', count: 1, size, plain: 'p-%d.pgm', even: 'e-%d.pgm' }, features),
    probeArgs('/v/in', ['avi'], limits),
  ];
  for (const args of runs) {
    const line = args.join(' ');
    expect(line).toMatch(/-max_pixels 1234 -threads [13] .*-i /);
    if (line.includes('/v/in')) expect(line).toContain('-max_streams 7 -i');
  }
  for (const args of runs.slice(0, 3)) expect(args.join(' ')).toContain('bwdif=mode=send_frame');
  // Beside the encoder of JPEGs, which has one, each that makes video has as many.
  expect(runs[0]?.join(' ').match(/-threads 3 -c:v libx264/g)).toHaveLength(2);
});
