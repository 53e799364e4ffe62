import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config/config.ts';
import { findMediaTools } from '../workers/tools/media-tools.ts';
import { readFeed } from './accuracy/read-feed.ts';
import { recordFeed } from './accuracy/record-feed.ts';
import { openSampler } from './accuracy/sample-feed.ts';
import { scoreFrames, scoreWords } from './accuracy/score.ts';
import type { FeedTruth } from './accuracy/truth.ts';

const USAGE = `npm run bench:accuracy -- [--npm] [--frames] DIRECTORY

Renders a feed of 20 pages in Chromium as a screen recording (feed.mp4 and truth.json in the directory, unless they are there), keeps its
frames as the job \`sample\` does, and says what they cover. Then it sends the recording through all stages of a worker, and says how many of
its words were read letter for letter, in their places and at the right time.

  --npm      with the ffmpeg and the tesseract that come from npm, whatever the machine has
  --frames   the frames only
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    npm: { type: 'boolean', default: false },
    frames: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [directory] = positionals.map((path) => resolve(path));
if (values.help || directory === undefined) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

await mkdir(directory, { recursive: true });
const { ffmpegPath, ffprobePath, searchPath } = loadConfig({ PATH: process.env['PATH'] });
const media = await findMediaTools({ ffmpegPath, ffprobePath, searchPath, cacheDir: directory });
const [videoPath, truthPath] = [join(directory, 'feed.mp4'), join(directory, 'truth.json')];
if (!existsSync(truthPath)) await recordFeed(media.ffmpegPath, directory);
const truth = JSON.parse(await readFile(truthPath, 'utf8')) as FeedTruth;

const manifest = await (await openSampler(videoPath, directory, media)).run();
const { uncovered, ...frames } = scoreFrames(truth, manifest.frames);
console.log(`ffmpeg: ${media.ffmpegPath}\n${JSON.stringify(frames, null, 2)}`);
for (const line of uncovered) console.log(`  not covered: ${line}`);
if (frames.coveredPages < frames.pageCount || frames.framesPerMinute > 60) process.exitCode = 1;

if (!values.frames) {
  const { engine, seconds, segments } = await readFeed(
    videoPath,
    values.npm ? directory : (searchPath ?? ''),
    (line) => console.log(line),
  );
  await writeFile(join(directory, 'segments.json'), JSON.stringify(segments));
  const score = scoreWords(truth, segments);
  console.log(`${engine}: ${seconds.toFixed(1)} s\n${JSON.stringify(score, null, 2)}`);
  const goal = values.npm ? 0.94 : 0.96;
  const isReached = score.foundInTimeShare >= goal;
  console.log(
    `${(100 * score.foundInTimeShare).toFixed(1)} % of words found exactly, in place and in time; goal ${100 * goal} %: ${isReached ? 'reached' : 'NOT reached'}`,
  );
  if (!isReached) process.exitCode = 1;
}
