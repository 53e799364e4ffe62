import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import type { S3Settings } from '../../src/storage/s3/settings.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { bytes, keysOf, unfinishedUploads } from './stores.ts';

let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3();
});
afterEach(() => s3.trouble(null));
afterAll(() => s3.close());

let stores = 0;
function open(changes: Partial<S3Settings> = {}): { readonly store: ObjectStore; readonly prefix: string } {
  const prefix = `test-${stores++}/`;
  const store = createS3Store({ ...s3.settings, keyPrefix: prefix, ...changes });
  onTestFinished(() => store.close?.());
  return { store, prefix };
}

const LARGE = Buffer.alloc(20 * 1024 * 1024, 7);

/** Trouble for the first `count` requests that match. */
function first(
  count: number,
  kind: 'break' | 'cut' | 'busy' | 'denied' | 'replaced',
  matches: (request: IncomingMessage) => boolean,
): () => number {
  let seen = 0;
  s3.trouble((request) => (matches(request) && ++seen <= count ? kind : null));
  return () => seen;
}

describe('a bucket', () => {
  test('is listed page by page to its end, without what has a name that is no key', async () => {
    const { store, prefix } = open();
    const numbers = Array.from({ length: 23 }, (_, index) => String(index).padStart(2, '0'));
    await Promise.all(numbers.map((number) => store.put(`many/${number}`, bytes('x'))));
    // What the consoles of buckets make for a "folder", and other people's names.
    const foreign = createS3Store({ ...s3.settings, keyPrefix: `${prefix}many/.` });
    onTestFinished(() => foreign.close?.());
    await foreign.put('hidden', bytes('x'));
    s3.trouble(({ url = '' }) => (url.includes('list-type=2') ? 'paged' : null));
    expect(await keysOf(store, 'many/')).toEqual(numbers.map((number) => `many/${number}`));
    const pages = s3.requests.filter(({ url }) => url.includes('list-type=2') && url.includes('many'));
    expect(pages).toHaveLength(3);
  });

  test('is shared by installations that do not see each other', async () => {
    const [one, two] = [open().store, open().store];
    await one.put('k', bytes('one'));
    await two.put('k', bytes('two'));
    await two.put('l', bytes('two'));
    expect(await text((await one.get('k')).stream)).toBe('one');
    expect(await keysOf(one)).toEqual(['k']);
    expect(await two.delete('k')).toBe(true);
    expect(await one.stat('k')).not.toBeNull();
  });

  test('is sent no checksums beside its signature, which servers other than AWS refuse', async () => {
    const { store } = open();
    const names = new Set<string>();
    s3.trouble((request) => {
      for (const name of Object.keys(request.headers)) names.add(name);
      return null;
    });
    await store.put('small', bytes('x'));
    await store.put('large', bytes(LARGE));
    expect([...names].filter((name) => /checksum|trailer|crc/.test(name))).toEqual([]);
    expect(names).toContain('x-amz-content-sha256');
  });

  test('recognises an object that others have put by its etag, and gives no hash that it does not know', async () => {
    const { store } = open();
    await store.put('large', bytes(LARGE));
    const stat = await store.stat('large');
    expect(stat).toMatchObject({ sizeBytes: LARGE.length, etag: expect.stringMatching(/^[0-9a-f]{32}-3$/) });
    expect(stat).not.toHaveProperty('sha256');
  });
});

describe('a bucket in trouble', () => {
  test('is asked again when it breaks a connection or is busy, and nobody notices', async () => {
    const { store } = open();
    for (const kind of ['break', 'busy'] as const) {
      const seen = first(1, kind, ({ method }) => method === 'PUT');
      await store.put('k', bytes(kind));
      expect(seen()).toBe(2);
      expect(await text((await store.get('k')).stream)).toBe(kind);
    }
  });

  test.each(['break', 'busy'] as const)(
    'that goes on (%s) is StorageUnavailable, to be tried later',
    async (kind) => {
      const { store } = open();
      s3.trouble(() => kind);
      const away = { name: 'StorageUnavailable', code: 'StorageUnavailable' };
      await expect(store.put('k', bytes('x'))).rejects.toMatchObject(away);
      await expect(store.get('k')).rejects.toMatchObject(away);
      await expect(store.stat('k')).rejects.toMatchObject(away);
      await expect(keysOf(store)).rejects.toMatchObject(away);
    },
  );

  test('that is not there at all is StorageUnavailable, with the reason', async () => {
    const { store } = open({ endpoint: 'http://127.0.0.1:1' });
    await expect(store.stat('k')).rejects.toThrow('The object store did not describe "k" (ECONNREFUSED)');
  });

  test('that refuses us, or does not exist, is StorageDenied for good', async () => {
    const { store } = open();
    s3.trouble(() => 'denied');
    const denied = { name: 'PermanentError', type: 'StorageDenied' };
    await expect(store.put('k', bytes('x'))).rejects.toMatchObject(denied);
    await expect(store.get('k')).rejects.toMatchObject(denied);
    await expect(store.stat('k')).rejects.toMatchObject(denied);
    await expect(store.delete('k')).rejects.toMatchObject(denied);
    s3.trouble(null);
    const elsewhere = open({ bucket: 'no-such-bucket' }).store;
    await expect(elsewhere.put('k', bytes('x'))).rejects.toMatchObject(denied);
    await expect(elsewhere.get('k')).rejects.toThrow('NoSuchBucket');
  });

  test('keeps no part of an upload whose parts it does not take', async () => {
    const { store, prefix } = open();
    await store.put('k', bytes('old'));
    const isSecondPart = ({ url = '' }: IncomingMessage) => url.includes('partNumber=2');
    first(100, 'break', isSecondPart);
    await expect(store.put('k', bytes(LARGE))).rejects.toMatchObject({ code: 'StorageUnavailable' });
    s3.trouble(null);
    expect(s3.requests.filter(({ url }) => url.includes(`/${prefix}k?uploads`))).toHaveLength(1);
    expect(unfinishedUploads(s3, prefix)).toBe(0);
    expect(await text((await store.get('k')).stream)).toBe('old');
    // One broken connection is no reason to give up.
    first(1, 'break', isSecondPart);
    expect(await store.put('k', bytes(LARGE))).toMatchObject({ sizeBytes: LARGE.length });
    expect(await store.stat('k')).toMatchObject({ sizeBytes: LARGE.length });
  });

  test('gives the range of another object when the one that was looked at is replaced meanwhile', async () => {
    const { store } = open();
    await store.put('k', bytes('0123456789'));
    const asked: number[] = [];
    const range = ({ sizeBytes }: { sizeBytes: number }) => {
      asked.push(sizeBytes);
      return { firstByte: 1, lastByte: 2 };
    };
    first(1, 'replaced', ({ method, headers }) => method === 'GET' && headers['if-match'] !== undefined);
    expect(await text((await store.get('k', { range })).stream)).toBe('12');
    expect(asked).toEqual([10, 10]);
  });

  test('that breaks off in the middle of an object is asked for the rest, where a file is made of it', async () => {
    const { store } = open();
    const content = randomBytes(4_000_000);
    await store.put('k', bytes(content));
    const directory = await makeTempDir();
    const seen = first(3, 'cut', ({ method }) => method === 'GET');
    const copy = join(directory, 'copy');
    expect(await store.copyToFile('k', copy)).toMatchObject({ sizeBytes: 4_000_000 });
    expect((await readFile(copy)).equals(content)).toBe(true);
    expect(seen()).toBe(4);
    // A reader of a stream gets an error; it has no half object for a whole one.
    first(1, 'cut', ({ method }) => method === 'GET');
    await expect(text((await store.get('k')).stream)).rejects.toThrow();
  });

  test('that breaks off and stays away, or has another object by then, leaves no half file', async () => {
    const { store } = open();
    await store.put('k', bytes(Buffer.alloc(4_000_000, 1)));
    const directory = await makeTempDir();
    for (const [then, error] of [
      ['break', { code: 'StorageUnavailable' }],
      ['replaced', { name: 'PreconditionFailed' }],
    ] as const) {
      let gets = 0;
      s3.trouble(({ method }) => (method !== 'GET' ? null : ++gets === 1 ? 'cut' : then));
      await expect(store.copyToFile('k', join(directory, 'copy'))).rejects.toMatchObject(error);
      expect(await readdir(directory)).toEqual([]);
    }
    // A target that cannot be written is no reason to ask again.
    let gets = 0;
    s3.trouble(({ method }) => (method === 'GET' && gets++ > 0 ? 'denied' : null));
    await expect(store.copyToFile('k', join(directory, 'absent', 'copy'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(gets).toBe(1);
  });

  test('that says nothing more is left at once by a reader that is asked to stop', async () => {
    const { store } = open();
    await store.put('k', bytes(Buffer.alloc(4_000_000, 1)));
    const abort = new AbortController();
    const body = await store.get('k', { signal: abort.signal });
    abort.abort(new Error('canceled by a test'));
    await expect(text(body.stream)).rejects.toThrow();
    await expect(store.get('k', { signal: abort.signal })).rejects.toThrow('canceled by a test');
    const source = Readable.from(['x']);
    await expect(store.put('k', { stream: source }, { signal: abort.signal })).rejects.toThrow('canceled');
  });
});
