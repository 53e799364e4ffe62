import { link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { bytes, keysOf } from './stores.ts';

// What every driver must do is in contract.test.ts; this is what is a folder's alone.

test('the path in place gives an object\u2019s bytes, and is given for objects alone', async () => {
  const store = await openLocalStore(await makeTempDir());
  await store.put('folder/k', bytes('in place'));
  expect(await readFile(await store.localPath('folder/k'), 'utf8')).toBe('in place');
  for (const key of ['absent', 'folder'])
    await expect(store.localPath(key), key).rejects.toMatchObject({ code: 'ObjectNotFound' });
  await expect(store.get('folder/k/below')).rejects.toMatchObject({ code: 'InvalidKey' });
  for (const key of ['../folder/k', '/etc/passwd', '.meta/x'])
    await expect(store.localPath(key), key).rejects.toMatchObject({ code: 'InvalidKey' });
});

test('a key cannot be an object and the folder of another one', async () => {
  const store = await openLocalStore(await makeTempDir());
  await store.put('a/b', bytes('x'));
  await expect(store.put('a', bytes('y'))).rejects.toMatchObject({ code: 'InvalidKey' });
  await expect(store.put('a/b/c', bytes('y'))).rejects.toMatchObject({ code: 'InvalidKey' });
  expect(await keysOf(store)).toEqual(['a/b']);
});

test('a listing goes by bytes: capitals first, whatever the folders', async () => {
  const store = await openLocalStore(await makeTempDir());
  const keys = ['a-b', 'a/b', 'a.c', 'B', 'C/c', 'a/c/d', 'ab/c'];
  for (const key of keys) await store.put(key, bytes(key));
  expect(await keysOf(store)).toEqual(keys.toSorted());
});

test('deleting the last object of a folder removes the folder', async () => {
  const root = await makeTempDir();
  const store = await openLocalStore(root);
  await store.put('a/b/c', bytes('x'));
  await store.delete('a/b/c');
  expect((await readdir(root)).sort()).toEqual(['.incoming', '.meta']);
});

test('no symbolic link leads out of the store, for reading, writing, listing or deleting', async () => {
  const directory = await makeTempDir();
  const root = join(directory, 'store');
  const outside = join(directory, 'outside');
  const store = await openLocalStore(root);
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  await symlink(outside, join(root, 'way'));
  await symlink(join(outside, 'secret'), join(root, 'file'));

  for (const key of ['way/secret', 'file']) {
    await expect(store.get(key), key).rejects.toMatchObject({
      code: expect.stringMatching(/^(InvalidKey|ObjectNotFound)$/),
    });
    await expect(store.localPath(key), key).rejects.toMatchObject({
      code: expect.stringMatching(/^(InvalidKey|ObjectNotFound)$/),
    });
  }
  await expect(store.put('way/new', bytes('x'))).rejects.toMatchObject({ code: 'InvalidKey' });
  await expect(store.put('way/deep/new', bytes('x'))).rejects.toMatchObject({ code: 'InvalidKey' });
  await expect(keysOf(store, 'way/')).rejects.toMatchObject({ code: 'InvalidKey' });
  expect(await keysOf(store)).toEqual([]);
  await store.put('file', bytes('replaced'));
  await expect(store.delete('way/secret')).rejects.toMatchObject({ code: 'InvalidKey' });
  expect(await readdir(outside)).toEqual(['secret']);
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(await text((await store.get('file')).stream)).toBe('replaced');
});

test('a file put in place by other means has no hash, and not the old object\u2019s', async () => {
  const root = await makeTempDir();
  const store = await openLocalStore(root);
  await store.put('k.mp4', bytes('one'), { contentType: 'video/own' });
  await writeFile(join(root, 'k.mp4'), 'two!');
  expect(await store.stat('k.mp4')).toEqual({
    key: 'k.mp4',
    sizeBytes: 4,
    contentType: 'video/mp4',
    modifiedAt: expect.any(Date),
  });
});

test('what a crashed put left is removed at the next start once it is old', async () => {
  const root = await makeTempDir();
  await openLocalStore(root);
  const old = join(root, '.incoming', '1-old');
  const fresh = join(root, '.incoming', '1-fresh');
  for (const path of [old, fresh]) await writeFile(path, 'part');
  await utimes(old, new Date(0), new Date(0));
  await openLocalStore(root);
  expect(await readdir(join(root, '.incoming'))).toEqual(['1-fresh']);
});

test('an object shares no file with its source', async () => {
  const directory = await makeTempDir();
  const store = await openLocalStore(join(directory, 'store'));
  const source = join(directory, 'source');
  await writeFile(source, 'as it was');
  await link(source, join(directory, 'second-name'));
  await store.put('k', { path: source });
  await writeFile(source, 'changed afterwards');
  expect(await text((await store.get('k')).stream)).toBe('as it was');
  expect((await stat(await store.localPath('k'))).nlink).toBe(1);
});

test('what the store makes is for its own system user alone, and what is above it stays as it was', async () => {
  const directory = await makeTempDir();
  const umask = process.umask(0o022);
  try {
    const store = await openLocalStore(join(directory, 'above', 'store'));
    await store.put('videos/a/b.mp4', bytes('x'));
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    const root = join(directory, 'above', 'store');
    expect(await modeOf(join(directory, 'above'))).toBe('755');
    expect(await modeOf(root)).toBe('700');
    const seen = await readdir(root, { recursive: true, withFileTypes: true });
    expect(seen.filter((entry) => entry.isFile())).toHaveLength(2);
    for (const entry of seen)
      expect(await modeOf(join(entry.parentPath, entry.name)), entry.name).toBe(
        entry.isDirectory() ? '700' : '600',
      );
    const copy = join(directory, 'copy');
    await store.copyToFile('videos/a/b.mp4', copy);
    expect(await modeOf(copy)).toBe('600');
  } finally {
    process.umask(umask);
  }
});
