import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';

/** Puts what it reads from its stdin, which never ends. */
const WRITER = `
  import { openLocalStore } from ${JSON.stringify(new URL('../../src/storage/local-store.ts', import.meta.url).href)};
  const store = await openLocalStore(process.argv[1]);
  await store.put('videos/k', { stream: process.stdin });
`;

test('a process killed in the middle of a put leaves the old object whole and no new one', async () => {
  const root = await makeTempDir();
  const store = await openLocalStore(root);
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, root], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const exit = once(child, 'exit');
  child.stdin.on('error', () => {});
  child.stdin.write(Buffer.alloc(100_000));
  await waitFor(async () => (await readdir(join(root, '.incoming'))).length > 0, {
    describe: 'the put to begin',
  });
  child.kill('SIGKILL');
  await exit;

  expect(await store.stat('videos/k')).toBeNull();
  const seen: string[] = [];
  for await (const { key } of store.list('')) seen.push(key);
  expect(seen).toEqual([]);
  await store.put('videos/k', { stream: Readable.from(['whole']) });
  expect(await text((await store.get('videos/k')).stream)).toBe('whole');
});
