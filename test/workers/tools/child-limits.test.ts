import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFrameReader } from '../../../workers/tools/ocr/frame-reader.ts';
import { makeClipBench } from '../../support/clip-bench.ts';
import {
  FAST_H264,
  makeMedia,
  makeTranscodeBench,
  PICTURE,
  SAMPLE_PATH,
  systemMedia,
} from '../../support/media.ts';
import { systemOcr } from '../../support/ocr-bench.ts';
import { makeSampleBench } from '../../support/sample-bench.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

/** What a worker starts with, unless MILLRACE_CHILD_MEMORY_MB says otherwise. */
const LIMIT_KIB = 4 * 2 ** 20;

test.runIf(process.platform === 'linux')(
  'every ffmpeg, ffprobe and tesseract of a video’s stages runs under the memory limit, and whatever decodes is bounded in pixels',
  async (context) => {
    const directory = await makeTempDir();
    const notes = join(directory, 'notes');
    /** The program itself, behind a note of its limit of address space and its arguments. */
    const noting = async (name: string, path: string): Promise<string> => {
      const wrapper = join(directory, name);
      const script = `#!/bin/sh\necho "${name} $(ulimit -v) $*" >> '${notes}'\nexec '${path}' "$@"\n`;
      await writeFile(wrapper, script, { mode: 0o755 });
      return wrapper;
    };
    const found = await systemMedia(context);
    const media = {
      ...found,
      ffmpegPath: await noting('ffmpeg', found.ffmpegPath),
      ffprobePath: await noting('ffprobe', found.ffprobePath),
    };
    const reader = await systemOcr(context, 'eng');
    const source = await makeMedia(directory, [...PICTURE('320x240', 1), ...FAST_H264, 'in.mp4']);
    await (await makeTranscodeBench(media, source)).run();
    await (await makeSampleBench(media, source)).run();
    await (await makeClipBench(media, source)).run({ t_end: 500 });
    const frame = await makeMedia(directory, [
      '-i',
      SAMPLE_PATH,
      '-frames:v',
      '1',
      '-vf',
      'scale=640:360',
      'frame.jpg',
    ]);
    const frames = await openFrameReader({
      ocr: { ...reader, path: await noting('tesseract', reader.path ?? '') },
      media,
      ...{
        size: { widthPx: 640, heightPx: 360 },
        languages: ['eng'],
        minConfidence: 0.6,
        concurrency: 1,
        directory,
      },
    });
    await frames.read([frame], new AbortController().signal);
    await frames.close();

    const runs = (await readFile(notes, 'utf8')).trim().split('\n');
    const named = (name: string) => runs.filter((run) => run.startsWith(`${name} `));
    for (const name of ['ffmpeg', 'ffprobe', 'tesseract'])
      expect(named(name), runs.join('\n')).not.toEqual([]);
    for (const run of runs) expect(run).toMatch(new RegExp(`^\\w+ ${LIMIT_KIB} `));
    for (const run of named('ffmpeg').filter((each) => each.includes(' -i ')))
      expect(run.slice(0, run.indexOf(' -i '))).toMatch(/ -max_pixels \d+ -threads \d+ /);
  },
  120_000,
);
