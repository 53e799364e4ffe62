import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFrameReader } from '../../../../workers/tools/ocr/frame-reader.ts';
import { openTesseractJs } from '../../../../workers/tools/ocr/tesseract-js.ts';
import { forensicsSample, makeMedia, mediaOf, npmMedia, SAMPLE_PATH } from '../../../support/media.ts';
import { systemOcr } from '../../../support/ocr-bench.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

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
  const [lines = []] = await reader.read([frame], new AbortController().signal);
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
    for (let time = 0; time < times; time++) await engine.read([picture, picture], signal);
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

describe.each(['system', 'npm'] as const)(
  'frames that are read together, with the ffmpeg of %s',
  (source) => {
    test('give what each gives alone, and are reported as they are read', async (context) => {
      const directory = await makeTempDir();
      const media = await mediaOf(source, context);
      const common = { ocr: await systemOcr(context, 'eng'), media, size: { widthPx: 1280, heightPx: 720 } };
      const frames: string[] = [];
      for (const second of [1, 9, 17])
        frames.push(
          await makeMedia(directory, [
            ...['-ss', String(second), '-i', SAMPLE_PATH],
            ...['-frames:v', '1', '-vf', 'scale=1280:720', '-q:v', '3', `${second}.jpg`],
          ]),
        );
      const reader = await openFrameReader({
        ...common,
        ...{ languages: ['eng'], minConfidence: 0.6, concurrency: 1, directory },
      });
      const { signal } = new AbortController();
      const alone = [];
      for (const frame of frames) alone.push(...(await reader.read([frame], signal)));
      const seen: number[] = [];
      const together = await reader.read(frames, signal, (count) => seen.push(count));
      await reader.close();
      expect(alone.every((lines) => lines.length > 0)).toBe(true);
      expect(new Set(alone.map((lines) => JSON.stringify(lines))).size).toBe(frames.length);
      expect(together).toEqual(alone);
      expect(seen.at(-1)).toBe(frames.length);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
    });

    test.for([
      ['no picture', (jpeg: Buffer) => Buffer.from('<html>not found</html>'.padEnd(jpeg.length))],
      ['an empty file', () => Buffer.alloc(0)],
    ] as const)(
      '%s among them is the one that fails, and no frame is taken for another',
      async ([, damage], context) => {
        const directory = await makeTempDir();
        const media = await mediaOf(source, context);
        const good = await makeMedia(directory, [
          ...['-i', SAMPLE_PATH, '-frames:v', '1', '-vf', 'scale=640:360', 'good.jpg'],
        ]);
        const bad = join(directory, 'bad.jpg');
        await writeFile(bad, damage(await readFile(good)));
        const reader = await openFrameReader({
          ...{ ocr: await systemOcr(context, 'eng'), media, size: { widthPx: 640, heightPx: 360 } },
          ...{ languages: ['eng'], minConfidence: 0.6, concurrency: 1, directory },
        });
        const { signal } = new AbortController();
        for (const frames of [[bad], [good, bad, good], [good, bad], [bad, good]])
          await expect(reader.read(frames, signal)).rejects.toMatchObject({
            name: 'PermanentError',
            message: expect.stringMatching(/^bad\.jpg cannot be read: /),
          });
        await reader.close();
      },
    );
  },
);
