import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probe } from '../../../workers/tools/ffprobe.ts';
import { frameTimes } from '../../../workers/tools/frame-times.ts';
import { VIDEO_FORMATS } from '../../../workers/tools/media-formats.ts';
import { mp4Times } from '../../../workers/tools/mp4-times.ts';
import { makeMedia, mediaOf, npmMedia, PICTURE, TONE } from '../../support/media.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { threadCpuMs } from '../../support/thread-cpu.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30'];
const AAC = ['-c:a', 'aac'];
const SECONDS = 8;
const picture = PICTURE('160x90', SECONDS);

/** Files that state when their pictures are shown, and how they are made. */
const CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  'pictures out of order, with sound': [...picture, ...TONE(SECONDS), ...H264, '-bf', '3', ...AAC, 'a.mp4'],
  'pictures in order, without sound': [...picture, ...H264, '-bf', '0', 'b.mp4'],
  'an index in front': [...picture, ...H264, '-bf', '2', '-movflags', '+faststart', 'c.mp4'],
  'a broken rate, as QuickTime': [...picture, '-r', '30000/1001', ...H264, '-bf', '2', 'd.mov'],
  'pictures that come irregularly': [
    ...picture,
    ...['-vf', "select='not(mod(n,7))+not(mod(n,11))'", '-vsync', 'vfr', ...H264, '-bf', '2', 'e.mp4'],
  ],
  'sound as the first track': [
    ...[...picture, ...TONE(SECONDS), '-map', '1:a', '-map', '0:v', ...H264, '-bf', '2', ...AAC, 'f.mp4'],
  ],
};

test.for(['system', 'npm'] as const)(
  'an MP4 states in its tables when its pictures are shown, as ffprobe of %s does by reading them',
  async (source, context) => {
    const { ffprobePath } = await mediaOf(source, context);
    const cwd = await makeTempDir();
    for (const [what, args] of Object.entries(CONTAINERS)) {
      const path = await makeMedia(cwd, args);
      const info = await probe(path, { ffprobePath, formats: VIDEO_FORMATS });
      const streamIndex = info.video?.index ?? -1;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 8_500 }),
          fc.integer({ min: 1, max: 3_000 }),
          async (fromMs, lengthMs) => {
            const range = { fromSeconds: fromMs / 1000, toSeconds: (fromMs + lengthMs) / 1000 };
            const own = await mp4Times({
              path,
              streamIndex,
              startSeconds: info.startSeconds ?? -1,
              ...range,
            });
            const common = { ffprobePath, path, formats: VIDEO_FORMATS, streamIndex, cwd };
            const { times } = await frameTimes({ ...common, ...range });
            const inRange = (list: readonly number[]) =>
              list.filter((time) => time <= range.toSeconds).map((time) => time.toFixed(5));
            expect(own, what).not.toBeNull();
            expect(inRange(own ?? []), what).toEqual(inRange(times));
            expect((own ?? []).length > inRange(own ?? []).length, what).toBe(
              times.length > inRange(times).length,
            );
          },
        ),
        {
          numRuns: 4,
          examples: [
            [0, 1],
            [8_400, 100],
          ],
        },
      );
    }
  },
);

test('what only ffmpeg is to be trusted with is left to it', async () => {
  const { ffprobePath } = await npmMedia();
  const cwd = await makeTempDir();
  const whole = await makeMedia(cwd, [
    ...picture,
    ...TONE(SECONDS),
    ...H264,
    '-bf',
    '2',
    ...AAC,
    'whole.mp4',
  ]);
  const other: Readonly<Record<string, readonly string[]>> = {
    'a Matroska': [...picture, ...H264, 'other.mkv'],
    fragments: [...picture, ...H264, '-movflags', 'frag_keyframe+empty_moov', 'fragments.mp4'],
    'a cut without encoding': ['-ss', '1.3', '-i', whole, '-c', 'copy', 'cut.mp4'],
    'pictures that begin later than the sound': [
      ...[
        ...TONE(SECONDS),
        '-itsoffset',
        '2',
        ...picture,
        '-map',
        '1:v',
        '-map',
        '0:a',
        ...H264,
        ...AAC,
        'late.mp4',
      ],
    ],
  };
  const ask = async (path: string, streamIndex = 0) => {
    return await mp4Times({ path, streamIndex, startSeconds: 0, fromSeconds: 1, toSeconds: 2 });
  };
  expect(await ask(whole)).not.toBeNull();
  expect(await ask(whole, 1), 'the track of the sound').toBeNull();
  expect(await ask(whole, 2), 'no track').toBeNull();
  for (const [what, args] of Object.entries(other)) {
    const path = await makeMedia(cwd, args);
    const own = await ask(path);
    if (own === null) continue;
    // Known after all: then as ffprobe does.
    const { times } = await frameTimes({
      ...{ ffprobePath, path, formats: VIDEO_FORMATS, streamIndex: 0, cwd, fromSeconds: 1, toSeconds: 2 },
    });
    expect(
      own.filter((time) => time <= 2),
      what,
    ).toEqual(times.filter((time) => time <= 2));
  }
});

test('a damaged index is no answer, and never more work than a real one', async () => {
  const cwd = await makeTempDir();
  const path = await makeMedia(cwd, [
    ...picture,
    ...H264,
    '-bf',
    '2',
    '-movflags',
    '+faststart',
    'whole.mp4',
  ]);
  const bytes = await readFile(path);
  const ask = async (changed: Buffer) => {
    const damaged = join(cwd, 'damaged.mp4');
    await writeFile(damaged, changed);
    return await mp4Times({ path: damaged, streamIndex: 0, startSeconds: 0, fromSeconds: 1, toSeconds: 2 });
  };
  const index = bytes.subarray(0, bytes.indexOf('mdat'));
  const beganMs = threadCpuMs();
  await fc.assert(
    fc.asyncProperty(fc.nat(index.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      const times = await ask(changed);
      expect(times === null || Array.isArray(times)).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(await ask(bytes.subarray(0, bytes.indexOf('stts')))).toBeNull();
  const endless = Buffer.from(bytes);
  endless.writeUInt32BE(1, 0);
  endless.writeBigUInt64BE(2n ** 62n, 8);
  expect(await ask(endless), 'a box that is longer than any file').toBeNull();
  const many = Buffer.from(bytes);
  many.writeUInt32BE(0xffff_ffff, bytes.indexOf('stts') + 12);
  expect(await ask(many), 'four thousand million pictures').toBeNull();
  expect(threadCpuMs() - beganMs).toBeLessThan(60_000);
});
