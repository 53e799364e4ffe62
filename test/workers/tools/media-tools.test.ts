import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { findMediaTools } from '../../../workers/tools/media-tools.ts';
import { parseMediaVersion } from '../../../workers/tools/media-version.ts';
import { systemMedia } from '../../support/media.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

/** A program that says it is an ffmpeg with this libavutil. */
async function makeProgram(path: string, avutil: string, exitCode = 0): Promise<string> {
  await writeFile(
    path,
    `#!/bin/sh\necho "ffmpeg version 9-test Copyright"\necho "libavutil      ${avutil} / ${avutil}"\nexit ${exitCode}\n`,
  );
  await chmod(path, 0o755);
  return path;
}

test('without anything else the programs are those from npm, and they run', async () => {
  const found = await findMediaTools({
    ffmpegPath: null,
    ffprobePath: null,
    searchPath: null,
    cacheDir: await makeTempDir(),
  });
  expect(found.ffmpeg).toMatchObject({ source: 'npm', version: { avutil: [56, expect.any(Number)] } });
  expect(found.ffprobe).toMatchObject({ source: 'npm' });
  expect(found).toMatchObject({ fpsMode: false, zscale: true });
});

test('the system\u2019s ffmpeg of version 5 or newer is preferred', async (context) => {
  const found = await systemMedia(context);
  expect(found.ffmpeg.version.avutil[0]).toBeGreaterThanOrEqual(57);
  expect(found.ffprobe.source).toBe('system');
});

test('older, broken and unexecutable programs in the search path are passed over', async () => {
  const directory = await makeTempDir();
  const folders = ['old', 'broken', 'plain', 'good'].map((name) => join(directory, name));
  for (const folder of folders) await mkdir(folder);
  const [old = '', broken = '', plain = '', good = ''] = folders;
  await makeProgram(join(old, 'ffmpeg'), '56. 70.100');
  await makeProgram(join(broken, 'ffmpeg'), '58. 1.100', 1);
  await writeFile(join(plain, 'ffmpeg'), 'not a program');
  const expected = await makeProgram(join(good, 'ffmpeg'), '58. 1.100');
  const options = { ffmpegPath: null, ffprobePath: null, cacheDir: directory };
  const found = await findMediaTools({ ...options, searchPath: ['relative', ...folders].join(':') });
  expect(found.ffmpeg).toMatchObject({ path: expected, source: 'system' });
  expect(found).toMatchObject({ fpsMode: true, ffprobe: { source: 'npm' } });
  expect(
    (await findMediaTools({ ...options, searchPath: folders.slice(0, 3).join(':') })).ffmpeg.source,
  ).toBe('npm');
});

test('a configured path that does not work is an error that names the variable, not a reason to look elsewhere', async () => {
  const directory = await makeTempDir();
  const options = { ffprobePath: null, searchPath: null, cacheDir: directory };
  const broken = await makeProgram(join(directory, 'ffmpeg'), '58. 1.100', 1);
  for (const ffmpegPath of ['/no/such/ffmpeg', 'ffmpeg', broken, '/bin/true']) {
    await expect(findMediaTools({ ...options, ffmpegPath }), ffmpegPath).rejects.toMatchObject({
      code: 'ToolMissing',
      message: expect.stringContaining(`FFMPEG_PATH is "${ffmpegPath}"`),
      details: { field: 'FFMPEG_PATH', allowed: expect.stringContaining('version 5') },
    });
  }
});

test('versions are read from releases and from development builds', () => {
  const release =
    'ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026\nlibavutil      57. 28.100 / 57. 28.100\n';
  const build =
    'ffprobe version N-66595-gc2b38619c0-static https://x\nlibavutil      59.  8.100 / 59.  8.100\n';
  expect(parseMediaVersion(release)).toEqual({ name: '5.1.9-0+deb12u1', avutil: [57, 28] });
  expect(parseMediaVersion(build)).toEqual({ name: 'N-66595-gc2b38619c0-static', avutil: [59, 8] });
  expect(parseMediaVersion('something else')).toBeNull();
});

test('where npm\u2019s programs of 2018 are not allowed, none are found, and the error names the setting', async () => {
  const options = { ffmpegPath: null, ffprobePath: null, searchPath: null, cacheDir: await makeTempDir() };
  await expect(findMediaTools({ ...options, allowNpm: false })).rejects.toMatchObject({
    code: 'ToolMissing',
    message: expect.stringMatching(/of 2018.*MILLRACE_ALLOW_NPM_FFMPEG=true/),
  });
  expect(loadConfig({}).allowNpmFfmpeg).toBe(true);
  expect(loadConfig({ NODE_ENV: 'production' }).allowNpmFfmpeg).toBe(false);
});
