import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordFeed } from '../accuracy/record-feed.ts';
import { openSampler } from '../accuracy/sample-feed.ts';
import { machineMs } from '../measuring/clock.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { makeBenchDirectory } from '../stage/directory.ts';

const GOAL_RATIO = 1.15;
const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
const SECONDS = 60;
const QUICK_SECONDS = 5;

/**
 * The sampler's handler with a real store, against an ffmpeg that decodes the same and writes as many JPEGs,
 * and compares nothing.
 */
export const sample: Measure = {
  name: 'sample',
  title: 'Sampling of 60 s of a 1080p screen recording ÷ ffmpeg alone with the same decoding and JPEGs',
  async run({ effort, say }) {
    await using stage = await makeBenchDirectory();
    const directory = stage.path;
    const source = join(directory, 'source.mp4');
    const ffmpeg = await openBareFfmpeg(directory);
    const from = effort.quick ? SAMPLE : (await recordFeed(ffmpeg.media.ffmpegPath, directory)).videoPath;
    await ffmpeg.makeSource(from, source, effort.quick ? QUICK_SECONDS : SECONDS);
    const sampler = await openSampler(source, directory, ffmpeg.media);
    const through = (): Promise<number> => secondsOf(() => sampler.run());
    const args = ffmpeg.jpegArguments(source);
    const bare = join(directory, 'bare');
    const alone = (): Promise<number> => secondsOf(() => ffmpeg.run(args, bare));
    const { frames, sampledCount } = await sampler.run();
    await alone();
    say(`ffmpeg: ${ffmpeg.description}; ${frames.length} frames kept of ${sampledCount}`);
    const pairs = await interleavedPairs(effort.pairs, through, alone, ({ a, b }) =>
      say(`sampler ${rounded(a)} s, ffmpeg alone ${rounded(b)} s, ratio ${rounded(a / b)}`),
    );
    return [
      figureOf(
        { name: 'sample, handler ÷ ffmpeg', unit: '×', goal: GOAL_RATIO },
        pairs.map(({ a, b }) => a / b),
      ),
      figureOf(
        { name: 'sampling', unit: 's', goal: null },
        pairs.map(({ a }) => a),
      ),
    ];
  },
};

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = machineMs();
  await work();
  return (machineMs() - beganMs) / 1000;
}
