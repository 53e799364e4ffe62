import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FoundMediaTools } from '../../../../workers/tools/media-tools.ts';
import { runProcess } from '../../../../workers/tools/process.ts';
import { makeClipBench, NUMBERED_FPS, numberedVideo, readNumbers } from '../../../support/clip-bench.ts';
import { makeMedia, mediaOf } from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

/** A tone of 40 ms with every tenth picture: its sound says which picture belongs to it. */
const BEEPS = ['-f', 'lavfi', '-i', 'aevalsrc=sin(2*PI*1000*t)*lt(mod(t\\,0.4)\\,0.04):s=48000:d=8'];
const BEEP_SECONDS = 0.04;
const PICTURES_PER_BEEP = 10;
const SECONDS = 8;

/**
 * From one numbered recording, by name: what is unlike in each is where a decoder can begin, and how it is
 * found.
 */
const CONTAINERS = {
  'key.mp4': ['-c', 'copy'],
  'key.mkv': ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-c:a', 'mp2'],
  'opus.mkv': ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-c:a', 'libopus'],
  'oneKey.ts': ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '999', '-sc_threshold', '0', '-c:a', 'aac'],
  'everySecond.ts': ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '25', '-c:a', 'aac'],
  'mpeg2.ts': ['-c:v', 'mpeg2video', '-b:v', '4M', '-bf', '2', '-g', '15', '-c:a', 'mp2'],
  'mpeg2.mpg': ['-c:v', 'mpeg2video', '-b:v', '4M', '-bf', '2', '-g', '15', '-c:a', 'mp2'],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-b:v', '4M', '-g', '30', '-c:a', 'mp2'],
} as const;

const NAMES = Object.keys(CONTAINERS) as (keyof typeof CONTAINERS)[];

/** Within a picture, near its end, on its border, at the beginning, at the end, and by chance. */
const ALL_RANGES = [
  [1990, 2500],
  [3990, 4500],
  [0, 480],
  [7333, 8000],
  [Math.floor(Math.random() * 6000) + 500, 0],
].map(([start = 0, end = 0]) => [start, end || start + 700] as const);

/** By chance of each container, the others of every second one. */
const rangesOf = (name: keyof typeof CONTAINERS) =>
  ALL_RANGES.filter((_, index) => index === 4 || index % 2 === NAMES.indexOf(name) % 2);

/** What all of them are made from. */
let whole: string;
beforeAll(async () => {
  whole = await numberedVideo(await mkdtemp(join(tmpdir(), 'millrace-test-')), SECONDS, {
    more: BEEPS,
    name: 'whole.mp4',
  });
});
afterAll(() => rm(dirname(whole), { recursive: true, force: true }));

test.for(NAMES)(
  'a clip of %s has each picture of its range at its time, also against the sound',
  async (name, context) => {
    const media = await mediaOf('system', context);
    const cwd = await makeTempDir();
    const source = await makeMedia(cwd, ['-i', whole, ...CONTAINERS[name], name]);
    const offset = await pictureOffset(media, source);
    const bench = await makeClipBench(media, source);
    for (const [startMs, endMs] of rangesOf(name)) {
      // Matroska's muxer stretches the first picture to where the sound begins: times there are irregular.
      if (name.endsWith('.mkv') && startMs === 0) continue;
      bench.artifacts.length = 0;
      const { result, path } = await bench.make({ t_start: startMs, t_end: endMs });
      const about = `${name} ${startMs} to ${endMs}`;
      const pictures = await readNumbers(media, path);
      const shownAt = (number: number): number => number / NUMBERED_FPS + offset;
      const all = Array.from({ length: SECONDS * NUMBERED_FPS }, (_, number) => number);
      const first = all.findLast((number) => shownAt(number) <= startMs / 1000 + 0.0005) ?? 0;
      const wanted = all.filter(
        (number) => number >= first && shownAt(number) < result.endMs / 1000 - 0.0005,
      );
      expect(
        pictures.map(({ number }) => number),
        about,
      ).toEqual(wanted);
      for (const { number, seconds } of pictures)
        expect(
          Math.abs(seconds - Math.max(0, shownAt(number) - startMs / 1000)),
          `${about}: ${number}`,
        ).toBeLessThan(0.002);
      const beeps = await beepsOf(media, path);
      expect(beeps.length, about).toBeGreaterThan(0);
      for (const beep of beeps) {
        const shown = pictures.findLast(({ seconds }) => seconds <= beep + BEEP_SECONDS / 2);
        expect((shown?.number ?? -1) % PICTURES_PER_BEEP, `${about}: at ${beep}`).toBe(0);
        expect(Math.abs((shown?.seconds ?? -1) - beep), `${about}: at ${beep}`).toBeLessThan(0.012);
      }
    }
  },
);

/**
 * How much later than n/25 s from the start of the file picture n is shown: what an audio encoder begins
 * early.
 */
async function pictureOffset(media: FoundMediaTools, path: string): Promise<number> {
  const { stdout } = await runProcess({
    file: media.ffprobePath,
    args: [
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-show_entries',
      'packet=pts_time:format=start_time',
      '-of',
      'json',
      path,
    ],
    cwd: '/',
    timeoutMs: 300_000,
  });
  const { packets, format } = JSON.parse(stdout) as {
    readonly packets: readonly { readonly pts_time?: string }[];
    readonly format: { readonly start_time: string };
  };
  const last = Number(packets.findLast(({ pts_time }) => pts_time !== undefined)?.pts_time);
  const offset = (last - Number(format.start_time)) % (1 / NUMBERED_FPS);
  return offset > 1 / NUMBERED_FPS - 0.001 ? 0 : offset;
}

/** When each tone begins that is in the clip whole: the middle of its loudness, less half of its length. */
async function beepsOf(media: FoundMediaTools, path: string): Promise<readonly number[]> {
  const cwd = await makeTempDir();
  const rate = 8000;
  const { end, stderr } = await runProcess({
    file: media.ffmpegPath,
    args: [
      '-v',
      'error',
      '-nostdin',
      '-i',
      path,
      '-vn',
      '-ac',
      '1',
      '-ar',
      String(rate),
      '-af',
      'aresample=async=1:first_pts=0',
      '-f',
      's16le',
      'sound',
    ],
    cwd,
    timeoutMs: 300_000,
  });
  if (end.how !== 'exited' || end.exitCode !== 0) throw new Error(stderr);
  const sound = await readFile(join(cwd, 'sound'));
  const beeps: number[] = [];
  let [loud, moment, from, quiet] = [0, 0, 0, 0];
  const length = Math.floor(sound.length / 2);
  for (let index = 0; index <= length; index++) {
    const level = index === length ? 0 : sound.readInt16LE(2 * index) ** 2;
    if (level > 2000 ** 2) {
      if (loud === 0) from = index;
      loud += level;
      moment += level * index;
      quiet = 0;
    } else if (loud > 0 && (++quiet > rate / 50 || index === length)) {
      const isWhole = from > rate / 100 && index - quiet < length - rate / 100 && index < length;
      if (isWhole) beeps.push(moment / loud / rate - BEEP_SECONDS / 2);
      [loud, moment] = [0, 0];
    }
  }
  return beeps;
}
