import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBareFfmpeg } from '../../bench/stage/bare-ffmpeg.ts';
import { SAMPLE_PATH } from '../support/media.ts';
import { makeTempDir } from '../support/temp-dir.ts';

it('the ffmpeg that a worker is measured against carries out the command of a transcode', async () => {
  const directory = await makeTempDir();
  const ffmpeg = await openBareFfmpeg(directory);
  const source = join(directory, 'source.mp4');
  await ffmpeg.lengthen(SAMPLE_PATH, source, 1);
  const target = join(directory, 'alone');
  await ffmpeg.run(await ffmpeg.transcodeArguments(source), target);
  const names = await readdir(target);
  expect(names.filter((name) => name.endsWith('.m3u8')).length).toBeGreaterThan(0);
  expect(names.filter((name) => name.endsWith('.ts')).length).toBeGreaterThan(0);
});
