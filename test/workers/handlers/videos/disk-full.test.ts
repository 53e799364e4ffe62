import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../../../../workers/tools/process.ts';
import { FAST_H264, makeMedia, makeTranscodeBench, mediaOf, PICTURE } from '../../../support/media.ts';

let noise: string;
beforeAll(async () => {
  // Noise, which no encoder makes small.
  noise = await makeMedia(await mkdtemp(join(tmpdir(), 'millrace-test-')), [
    ...[...PICTURE('320x180', 8), '-vf', 'noise=alls=80:allf=t', ...FAST_H264, 'noise.mp4'],
  ]);
});
afterAll(() => rm(dirname(noise), { recursive: true, force: true }));

async function succeeds(file: string, args: readonly string[]): Promise<boolean> {
  const { end } = await runProcess({ file, args, cwd: '/' });
  return end.how === 'exited' && end.exitCode === 0;
}

/** A file system of its own with this size, or null where we may not mount one. */
async function mountSmallDisk(size: string): Promise<string | null> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-test-disk-'));
  const mounted = await succeeds('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  onTestFinished(async () => {
    if (mounted) await succeeds('/bin/umount', [path]);
    await rm(path, { recursive: true, force: true });
  });
  return mounted ? path : null;
}

const CASES = ['npm', 'system'].flatMap((source) =>
  ['4m', '17m'].map((size) => ({ source: source as 'npm' | 'system', size })),
);

for (const { source, size } of CASES) {
  test(`a disk of ${size} that fills up under the ffmpeg from ${source} is worth another try, and nothing is published`, async (context) => {
    const media = await mediaOf(source, context);
    const disk = await mountSmallDisk(size);
    if (disk === null) context.skip('mounting a small disk needs root');
    const bench = await makeTranscodeBench(media, noise);
    const running = bench.run({
      tools: { storage: bench.store, tempDir: async () => disk ?? '' },
    });
    await expect(running).rejects.toMatchObject({ name: 'MediaToolError', reason: 'diskFull' });
    const left: string[] = [];
    for await (const { key } of bench.store.list('')) left.push(key);
    expect(left).toEqual([bench.originalKey]);
  });
}
