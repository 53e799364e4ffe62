import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTempDir } from '../support/temp-dir.ts';
import { bytes, type Driver, keysOf, localDriver, s3Driver } from './stores.ts';

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');
/** More than two parts of a multipart upload, and no whole number of them. */
const LARGE = randomBytes(18 * 1024 * 1024 + 5);

describe.each([
  ['a folder', localDriver],
  ['a bucket', s3Driver],
] as const)('objects in %s', (_name, start) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await start();
  });
  afterAll(() => driver.close());

  test('an object comes back with its bytes, size, hash and type', async () => {
    const { store, other } = await driver.open();
    const content = randomBytes(300_000);
    const beforeMs = Date.now();
    const stored = await store.put('videos/a/index.m3u8', bytes(content));
    const declared = {
      key: 'videos/a/index.m3u8',
      sizeBytes: 300_000,
      sha256: sha256Of(content),
      contentType: 'application/vnd.apple.mpegurl',
    };
    expect(stored).toEqual(declared);
    const body = await other.get('videos/a/index.m3u8');
    expect(body.contentLengthBytes).toBe(300_000);
    expect((await buffer(body.stream)).equals(content)).toBe(true);
    expect(body.stat).toMatchObject(declared);
    const seen = await other.stat('videos/a/index.m3u8');
    expect(seen).toEqual(body.stat);
    // Buckets report whole seconds.
    expect(Math.abs((seen?.modifiedAt.getTime() ?? 0) - beforeMs)).toBeLessThan(60_000);
  });

  test('a put from a file and a copy to a file give the same bytes, and no file that is there is touched', async () => {
    const { store } = await driver.open();
    const directory = await makeTempDir();
    const source = join(directory, 'a b"c.bin');
    await writeFile(source, 'from a file');
    const contentType = 'text/x-own; charset=utf-8';
    expect(await store.put('k', { path: source }, { contentType })).toMatchObject({ contentType });
    const copy = join(directory, 'copy');
    expect(await store.copyToFile('k', copy)).toMatchObject({ sizeBytes: 11, contentType });
    expect(await readFile(copy, 'utf8')).toBe('from a file');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    await writeFile(source, 'changed afterwards');
    expect(await text((await store.get('k')).stream)).toBe('from a file');
    await expect(store.copyToFile('k', copy)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(copy, 'utf8')).toBe('from a file');
    await expect(store.copyToFile('absent', join(directory, 'no'))).rejects.toMatchObject({
      code: 'ObjectNotFound',
    });
    await expect(stat(join(directory, 'no'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a put from a file that does not exist fails as such and leaves nothing', async () => {
    const { store, unfinished } = await driver.open();
    await expect(store.put('k', { path: join(await makeTempDir(), 'absent') })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(await keysOf(store)).toEqual([]);
    expect(await unfinished()).toBe(0);
  });

  test('every range gives exactly its bytes, and one outside is refused', async () => {
    const { store } = await driver.open();
    const content = randomBytes(1000);
    await store.put('k', bytes(content));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 999 }), fc.nat({ max: 999 }), async (a, b) => {
        const range = { firstByte: Math.min(a, b), lastByte: Math.max(a, b) };
        const body = await store.get('k', { range });
        expect(body.contentLengthBytes).toBe(range.lastByte - range.firstByte + 1);
        expect(body.stat.sizeBytes).toBe(1000);
        const seen = await buffer(body.stream);
        expect(seen.equals(content.subarray(range.firstByte, range.lastByte + 1))).toBe(true);
      }),
      { numRuns: 25 },
    );
    for (const [firstByte, lastByte] of [
      [0, 1000],
      [5, 4],
      [-1, 2],
      [1000, 1000],
    ] as const) {
      const range = { firstByte, lastByte };
      await expect(store.get('k', { range })).rejects.toMatchObject({ code: 'InvalidArgument' });
    }
  });

  test('a range is chosen by the very object that is read', async () => {
    const { store } = await driver.open();
    await store.put('k', bytes('0123456789'));
    const body = await store.get('k', {
      range: ({ sizeBytes }) => ({ firstByte: sizeBytes - 2, lastByte: sizeBytes - 1 }),
    });
    await store.put('k', bytes('other'));
    expect(body).toMatchObject({ contentLengthBytes: 2, stat: { sizeBytes: 10 } });
    expect(await text(body.stream)).toBe('89');
    expect(await text((await store.get('k', { range: () => null })).stream)).toBe('other');
  });

  test('an empty object can be stored, described and read', async () => {
    const { store } = await driver.open();
    await store.put('empty', { stream: Readable.from([]) });
    expect(await store.stat('empty')).toMatchObject({ sizeBytes: 0 });
    expect(await text((await store.get('empty')).stream)).toBe('');
    expect(await text((await store.get('empty', { range: () => null })).stream)).toBe('');
  });

  test('what is not there is null, false, ObjectNotFound or an empty list', async () => {
    const { store } = await driver.open();
    await store.put('folder/k', bytes('x'));
    for (const key of ['absent', 'absent/too', 'folder']) {
      expect(await store.stat(key), key).toBeNull();
      expect(await store.delete(key), key).toBe(false);
      await expect(store.get(key), key).rejects.toMatchObject({ code: 'ObjectNotFound' });
      const range = { firstByte: 0, lastByte: 0 };
      await expect(store.get(key, { range }), key).rejects.toMatchObject({ code: 'ObjectNotFound' });
    }
    expect(await keysOf(store, 'absent/')).toEqual([]);
    expect(await store.delete('folder/k')).toBe(true);
    expect(await store.stat('folder/k')).toBeNull();
    expect(await keysOf(store)).toEqual([]);
  });

  test('every malformed key is refused by every method', async () => {
    const { store } = await driver.open();
    const copy = join(await makeTempDir(), 'copy');
    for (const key of ['../secret', '/etc/passwd', 'a/../../secret', '.meta/x', 'a\0', '', 'a//b', 'a\nb']) {
      const refused = { code: 'InvalidKey' };
      await expect(store.put(key, bytes('x')), key).rejects.toMatchObject(refused);
      for (const method of ['get', 'stat', 'delete'] as const)
        await expect(store[method](key), `${method} ${key}`).rejects.toMatchObject(refused);
      await expect(store.copyToFile(key, copy), key).rejects.toMatchObject(refused);
      await expect(keysOf(store, `${key}/`), key).rejects.toMatchObject(refused);
    }
    await expect(keysOf(store, 'videos')).rejects.toMatchObject({ code: 'InvalidKey' });
  });

  test('a put over its limit is refused and leaves the old object in place', async () => {
    const { store, unfinished } = await driver.open();
    await store.put('k', bytes('old'));
    const source = Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    const limited = { maxSizeBytes: 1000 };
    const tooLarge = { code: 'ObjectTooLarge' };
    await expect(store.put('k', { stream: source }, limited)).rejects.toMatchObject(tooLarge);
    expect(source.destroyed).toBe(true);
    const path = join(await makeTempDir(), 'file');
    await writeFile(path, Buffer.alloc(1001));
    await expect(store.put('k', { path }, limited)).rejects.toMatchObject(tooLarge);
    expect(await text((await store.get('k')).stream)).toBe('old');
    expect(await unfinished()).toBe(0);
    expect(await store.put('k', bytes(Buffer.alloc(1000)), limited)).toMatchObject({ sizeBytes: 1000 });
  });

  test('an aborted or broken put leaves nothing behind', async () => {
    const { store, unfinished } = await driver.open();
    const abort = new AbortController();
    const endless = new Readable({ read() {} });
    endless.push(Buffer.alloc(100));
    const putting = store.put('k', { stream: endless }, { signal: abort.signal });
    abort.abort(new Error('canceled by a test'));
    await expect(putting).rejects.toThrow('canceled by a test');
    expect(endless.destroyed).toBe(true);
    await expect(store.put('k', bytes('x'), { signal: abort.signal })).rejects.toThrow('canceled by a test');

    const broken = new Readable({ read() {} });
    broken.push(Buffer.alloc(100));
    const other = store.put('k', { stream: broken });
    broken.destroy(new Error('connection lost'));
    await expect(other).rejects.toThrow('connection lost');
    expect(await store.stat('k')).toBeNull();
    expect(await unfinished()).toBe(0);
  });

  test('a large object comes back whole and in ranges, from a stream and from a file', async () => {
    const { store, unfinished } = await driver.open();
    const path = join(await makeTempDir(), 'large');
    await writeFile(path, LARGE);
    const declared = { sizeBytes: LARGE.length, sha256: sha256Of(LARGE) };
    // Pieces of no regular size: what a client sends.
    const pieces = [LARGE.subarray(0, 7), LARGE.subarray(7, 17_000_000), LARGE.subarray(17_000_000)];
    expect(await store.put('stream.mp4', { stream: Readable.from(pieces) })).toMatchObject(declared);
    expect(await store.put('file.mp4', { path })).toMatchObject(declared);
    expect(await store.stat('file.mp4')).toMatchObject({ ...declared, contentType: 'video/mp4' });
    for (const key of ['stream.mp4', 'file.mp4']) {
      expect((await buffer((await store.get(key)).stream)).equals(LARGE), key).toBe(true);
      const range = { firstByte: 8_388_600, lastByte: 8_388_620 };
      const part = await buffer((await store.get(key, { range })).stream);
      expect(part.equals(LARGE.subarray(8_388_600, 8_388_621)), key).toBe(true);
      // Where a hash is given it is the right one.
      expect((await store.stat(key))?.sha256 ?? declared.sha256).toBe(declared.sha256);
    }
    expect(await unfinished()).toBe(0);
  });

  test('a large put that is aborted, broken or too large in the middle leaves the old object and nothing else', async () => {
    const { store, unfinished } = await driver.open();
    await store.put('k', bytes('old'));
    const abort = new AbortController();
    const halves = async function* (end: () => void) {
      yield LARGE.subarray(0, 12_000_000);
      end();
      yield LARGE.subarray(12_000_000);
    };
    const aborted = Readable.from(halves(() => abort.abort(new Error('canceled by a test'))));
    await expect(store.put('k', { stream: aborted }, { signal: abort.signal })).rejects.toThrow(
      'canceled by a test',
    );
    const broken = Readable.from(
      halves(() => {
        throw new Error('connection lost');
      }),
    );
    await expect(store.put('k', { stream: broken })).rejects.toThrow('connection lost');
    const whole = Readable.from(halves(() => {}));
    await expect(store.put('k', { stream: whole }, { maxSizeBytes: LARGE.length - 1 })).rejects.toMatchObject(
      { code: 'ObjectTooLarge' },
    );
    expect(whole.destroyed).toBe(true);
    expect(await text((await store.get('k')).stream)).toBe('old');
    expect(await unfinished()).toBe(0);
  });

  test.each([
    ['small', Buffer.from('new!')],
    ['large', LARGE],
  ])(
    'a %s put that is refused when it would be published leaves the old object with its type',
    async (_size, content) => {
      const { store, other, unfinished } = await driver.open();
      await store.put('k.mp4', bytes('old'), { contentType: 'video/own' });
      const before = await store.stat('k.mp4');
      const refusal = new Error('refused by a test');
      const put = (key: string, publishing: (publish: () => Promise<void>) => Promise<void>) =>
        store.put(key, bytes(content), { publishing });
      for (const key of ['k.mp4', 'other/k'])
        await expect(put(key, () => Promise.reject(refusal))).rejects.toBe(refusal);
      await expect(put('k.mp4', () => Promise.resolve())).rejects.toThrow('neither published nor refused');
      expect(await store.stat('k.mp4')).toEqual(before);
      expect(await keysOf(store)).toEqual(['k.mp4']);
      expect(await unfinished()).toBe(0);
      // Nothing is visible before it is published, and a second call is none: a transaction may be tried
      // again.
      await put('k.mp4', async (publish) => {
        expect(await text((await other.get('k.mp4')).stream)).toBe('old');
        await publish();
        await publish();
      });
      expect((await buffer((await other.get('k.mp4')).stream)).equals(content)).toBe(true);
      expect(await unfinished()).toBe(0);
    },
  );

  test('of puts at the same time one wins whole, and its hash is the one returned', async () => {
    const { store, other } = await driver.open();
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(50_000, index));
    await Promise.all(
      contents.map((content, index) => (index % 2 ? store : other).put('deep/er/k', bytes(content))),
    );
    const seen = await buffer((await store.get('deep/er/k')).stream);
    expect(contents.some((content) => content.equals(seen))).toBe(true);
    // A folder's record may be that of a put that lost; then the hash is unknown, never wrong.
    expect((await store.stat('deep/er/k'))?.sha256 ?? sha256Of(seen)).toBe(sha256Of(seen));
  });

  test('puts and deletes of neighbours do not get into each other’s way', async () => {
    const { store } = await driver.open();
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await store.put(`shared/folder/${index}`, bytes(String(index)));
        if (index % 2 === 0) expect(await store.delete(`shared/folder/${index}`)).toBe(true);
      }),
    );
    expect(await keysOf(store)).toHaveLength(30);
  });

  test('any name that files have is one of an object too', async () => {
    const { store } = await driver.open();
    const keys = [
      'a b/my film.mp4',
      `it's "q"`,
      '100% #1 & ?+=;',
      'cafe\u0301',
      'caf\u00e9',
      '会議 🎬',
      '-rf',
    ];
    for (const key of keys) await store.put(key, bytes(key));
    expect((await keysOf(store)).toSorted()).toEqual(keys.toSorted());
    for (const key of keys) {
      expect(await text((await store.get(key)).stream), key).toBe(key);
      expect(await store.stat(key)).toMatchObject({ key, sizeBytes: Buffer.byteLength(key) });
      expect(await store.delete(key)).toBe(true);
    }
    expect(await keysOf(store)).toEqual([]);
  });

  test('a listing is in byte order of the keys, with sizes and times, and ends at its prefix', async () => {
    const { store } = await driver.open();
    // In lower case, since the bucket of these tests sorts capitals as people do; AWS goes by bytes.
    const keys = ['a-b', 'a/b', 'a.c', 'a/b-c', 'a/c/d', 'z_', 'ab/c'];
    for (const key of keys) await store.put(key, bytes(key));
    expect(await keysOf(store)).toEqual(keys.toSorted());
    expect(await keysOf(store, 'a/')).toEqual(['a/b', 'a/b-c', 'a/c/d']);
    for await (const { key, sizeBytes, modifiedAt } of store.list('')) {
      expect(sizeBytes).toBe(key.length);
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });
});
