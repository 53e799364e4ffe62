import { expect, test } from 'vitest';
import { openFrameReader } from '../../workers/tools/ocr/frame-reader.ts';
import { openTesseractJs } from '../../workers/tools/ocr/tesseract-js.ts';
import { forensicsSample, makeMedia, npmMedia } from '../support/media.ts';
import { systemOcr } from '../support/ocr-bench.ts';
import { makeTempDir } from '../support/temp-dir.ts';

test('a real recording of a terminal: its heading, the command and every name that it lists', async (context) => {
  const video = forensicsSample(context, 'movie2/movie-hello.mp4');
  const ocr = await systemOcr(context, 'eng');
  const directory = await makeTempDir();
  const frame = await makeMedia(directory, [
    '-ss',
    '6.5',
    '-i',
    video,
    '-frames:v',
    '1',
    '-q:v',
    '3',
    'frame.jpg',
  ]);
  const size = { widthPx: 1280, heightPx: 720 };
  const common = { ocr, media: await npmMedia(), size, languages: ['eng'], minConfidence: 0.6 };
  const reader = await openFrameReader({ ...common, concurrency: 1, directory });
  const lines = await reader.read(frame, 'frame', new AbortController().signal);
  await reader.close();
  const text = lines.map((line) => line.map((word) => word.text).join(' ')).join('\n');
  expect(text).toMatch(/^Hello world\.\.\.$/m);
  expect(text).toMatch(/ls \/usr$/m);
  for (const name of ['bin', 'games', 'include', 'lib', 'libexec', 'local', 'sbin', 'share', 'src'])
    expect(text.toLowerCase()).toMatch(new RegExp(`\\b${name}\\b`));
});

test('reading hundreds of pictures with the reader of npm takes no more memory than reading some', async () => {
  const directory = await makeTempDir();
  // Without any print there is nothing to recognise, which is where the time would go.
  const picture = await makeMedia(directory, [
    ...['-f', 'lavfi', '-i', 'color=c=white:s=480x270', '-frames:v', '1', '-pix_fmt', 'gray', 'page.pgm'],
  ]);
  const engine = await openTesseractJs({ languages: ['eng'], concurrency: 1, directory });
  const { signal } = new AbortController();
  const read = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await engine.read(picture, picture, signal);
  };
  try {
    await read(15);
    const beforeMiB = process.memoryUsage().rss / 2 ** 20;
    // Past the 200 pictures after which a worker is replaced.
    await read(135);
    expect(process.memoryUsage().rss / 2 ** 20 - beforeMiB).toBeLessThan(100);
  } finally {
    await engine.close();
  }
});
