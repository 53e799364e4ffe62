/**
 * Makes assets/sample.mp4, the video that the demo shows and the tests use: a scrolling feed with readable
 * text (handles, hashtags, a price, a URL, a dark post) and a spoken commentary. Run it only to change the
 * sample; the result is committed.
 *
 * node scripts/make-sample.ts [output.mp4]
 *
 * Needs, beside the npm packages of this repository: `flite` and `ffmpeg` (5 or newer) in PATH and the DejaVu
 * fonts, all of them Debian packages (flite, ffmpeg, fonts-dejavu-core). All text and pictures are our own;
 * flite's `slt` voice may be used freely (BSD-like licence).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as browserType } from 'playwright-core';

const FRAMES_PER_SECOND = 15;
const SIZE = { width: 1280, height: 720 };
/** Distance of two posts in feed.html. */
const POST_HEIGHT_PX = 540;
const POSTS = 5;
const DWELL_SECONDS = 4;
const SCROLL_SECONDS = 1;
const MAX_SIZE_BYTES = 2_000_000;
const SPEECH = [
  'Welcome to the river feed. The old water wheel turns again after two years of repair.',
  'The mill shop sells a model mill for twenty four dollars and ninety nine cents.',
  'An engineer explains how a job queue survived a power cut without losing a single task.',
  'The night shift likes the dark screens. The open day is on Friday. Thank you for watching.',
];

const output = process.argv[2] ?? fileURLToPath(new URL('../assets/sample.mp4', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'sample-'));
try {
  const speechPath = join(directory, 'speech.wav');
  await run('flite', [
    '-voice',
    'slt',
    '--setf',
    'duration_stretch=1.1',
    '-t',
    SPEECH.join(' '),
    '-o',
    speechPath,
  ]);
  await encode(speechPath);
} finally {
  await rm(directory, { recursive: true, force: true });
}
const { size } = await stat(output);
if (size > MAX_SIZE_BYTES) throw new Error(`The sample has ${size} bytes, more than ${MAX_SIZE_BYTES}`);
process.stdout.write(`${output}: ${size} bytes\n`);

async function encode(speechPath: string): Promise<void> {
  const video = ['-f', 'image2pipe', '-framerate', String(FRAMES_PER_SECOND), '-c:v', 'png', '-i', 'pipe:0'];
  const h264 = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '23', '-pix_fmt', 'yuv420p', '-g', '150'];
  const aac = [
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-ar',
    '44100',
    '-ac',
    '1',
    '-af',
    'adelay=500:all=1,apad',
    '-shortest',
  ];
  const args = [
    '-v',
    'error',
    '-y',
    ...video,
    '-i',
    speechPath,
    ...h264,
    ...aac,
    '-movflags',
    '+faststart',
    '-bitexact',
    output,
  ];
  const ffmpeg = spawn('ffmpeg', args, { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(ffmpeg, 'exit');
  for await (const frame of frames()) {
    if (!ffmpeg.stdin.write(frame)) await once(ffmpeg.stdin, 'drain');
  }
  ffmpeg.stdin.end();
  const [exitCode] = await ended;
  if (exitCode !== 0) throw new Error(`ffmpeg failed with exit code ${exitCode}`);
}

/** One PNG a frame: the feed rests at each post and then glides to the next. */
async function* frames(): AsyncGenerator<Buffer> {
  const browser = await browserType.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(pathToFileURL(fileURLToPath(new URL('./sample/feed.html', import.meta.url))).href);
    for (let post = 0; post < POSTS; post += 1) {
      const resting = await shotAt(post * POST_HEIGHT_PX);
      for (let frame = 0; frame < DWELL_SECONDS * FRAMES_PER_SECOND; frame += 1) yield resting;
      const steps = post + 1 < POSTS ? SCROLL_SECONDS * FRAMES_PER_SECOND : 0;
      for (let step = 1; step < steps; step += 1)
        yield await shotAt((post + smooth(step / steps)) * POST_HEIGHT_PX);
    }

    async function shotAt(topPx: number): Promise<Buffer> {
      await page.evaluate(`window.scrollTo(0, ${Math.round(topPx)})`);
      return await page.screenshot({ type: 'png' });
    }
  } finally {
    await browser.close();
  }
}

/** Slow at both ends, as a finger scrolls. */
function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}

async function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${file} failed with exit code ${exitCode}`);
}
