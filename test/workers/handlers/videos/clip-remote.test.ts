import { createHash } from 'node:crypto';
import { readFile, stat as statFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { GetOptions, ObjectStore } from '../../../../src/storage/object-store.ts';
import { originalKey } from '../../../../src/storage/video-keys.ts';
import type { HandlerContext, MediaTools } from '../../../../workers/handler.ts';
import { inputArgs } from '../../../../workers/tools/ffmpeg-args.ts';
import { serveObject } from '../../../../workers/tools/served-object.ts';
import {
  type ClipBench,
  type ClipPayload,
  makeClipBench,
  numberedVideo,
} from '../../../support/clip-bench.ts';
import { makeMedia, mediaOf, npmMedia, VIDEO_ID } from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';
import { waitFor } from '../../../support/wait.ts';

const KEY = originalKey(VIDEO_ID);
const { signal } = new AbortController();

/** The bench's folder as a bucket is: objects are no files of this machine. */
function asBucket(
  bench: ClipBench,
  around: (get: ObjectStore['get']) => ObjectStore['get'] = (get) => get,
): ObjectStore {
  const { localPath: _, ...bucket } = bench.store;
  return { ...bucket, get: around(bucket.get) };
}

function toolsOf(storage: ObjectStore, media: MediaTools) {
  return { tools: { storage, tempDir: () => makeTempDir() }, own: { media } } as unknown as Partial<
    HandlerContext<ClipPayload>
  >;
}

describe.each(['system', 'npm'] as const)('with the ffmpeg of %s', (source) => {
  test('a clip out of a bucket is the one out of a folder, and only a part of the original is read', async (context) => {
    const media = await mediaOf(source, context);
    const directory = await makeTempDir();
    const piece = await numberedVideo(directory, 30);
    // 115 MB, with the index at the end, as cameras write it: what lies in sockets' buffers is more than a
    // short video has.
    const long = await makeMedia(directory, [
      ...['-stream_loop', '19', '-i', piece, '-f', 'lavfi', '-i', 'anoisesrc=r=48000:d=600:c=white:a=0.3'],
      ...[
        '-map',
        '0:v',
        '-map',
        '1:a',
        '-c:v',
        'copy',
        '-c:a',
        'pcm_s16le',
        '-ac',
        '2',
        '-shortest',
        'long.mov',
      ],
    ]);
    const bench = await makeClipBench(media, long);
    const range = { t_start: 300_000, t_end: 304_000 };
    const local = await bench.make(range);
    const expected = createHash('sha256')
      .update(await readFile(local.path))
      .digest('hex');
    bench.artifacts.length = 0;
    let readBytes = 0;
    const bucket = asBucket(bench, (get) => async (key, options) => {
      const body = await get(key, options);
      if (key === KEY) body.stream.on('data', (chunk: Buffer) => (readBytes += chunk.length));
      return body;
    });
    const outcome = await bench.run(range, toolsOf(bucket, media));
    expect(outcome).toMatchObject({ kind: 'done', result: { ...local.result, sha256: expected } });
    expect(readBytes / (await statFile(long)).size).toBeLessThan(0.4);
  });
});

/** A bucket that ends each of N readings after some bytes. */
function brittle(bench: ClipBench, breaks: number, bytes: number): ObjectStore {
  let left = breaks;
  return asBucket(bench, (get) => async (key, options) => {
    const body = await get(key, options);
    if (key !== KEY || left-- <= 0) return body;
    const broken = Readable.from(
      (async function* () {
        yield (await buffer(body.stream)).subarray(0, bytes);
        throw new Error('the bucket went away');
      })(),
    );
    return { ...body, stream: broken };
  });
}

test('a bucket that closes a connection in the middle is asked for the rest', async () => {
  const media = await npmMedia();
  const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 8));
  const range = { t_start: 1_000, t_end: 3_000 };
  const local = await bench.make(range);
  bench.artifacts.length = 0;
  const outcome = await bench.run(range, toolsOf(brittle(bench, 5, 2_000), media));
  expect(outcome).toMatchObject({ kind: 'done', result: local.result });
});

test('a store that goes on failing, or has another original by then, is not taken for a damaged video', async () => {
  const media = await npmMedia();
  const bench = await makeClipBench(media, await numberedVideo(await makeTempDir(), 8));
  const range = { t_start: 1_000, t_end: 3_000 };
  const failing = brittle(bench, Number.POSITIVE_INFINITY, 10);
  await expect(bench.run(range, toolsOf(failing, media))).rejects.toThrow('the bucket went away');
  const swapped = asBucket(bench, (get) => async (key, options: GetOptions = {}) => {
    const { range: choose } = options;
    if (key !== KEY || typeof choose !== 'function') return await get(key, options);
    return await get(key, { ...options, range: (stat) => choose({ ...stat, etag: 'another' }) });
  });
  await expect(bench.run(range, toolsOf(swapped, media))).rejects.toThrow('was replaced');
});

describe('a served object', () => {
  async function serve() {
    const bench = await makeClipBench(await npmMedia(), null);
    const bytes = Buffer.from(Array.from({ length: 4_000_000 }, (_, at) => at % 251));
    await bench.store.put(KEY, { stream: Readable.from([bytes]) });
    const stat = await bench.store.stat(KEY);
    if (stat === null) throw new Error('the object is not there');
    return { bytes, served: await serveObject(bench.store, stat, signal) };
  }

  test('gives ranges to who knows its name, and to nobody else', async () => {
    const { bytes, served } = await serve();
    await using _ = served;
    const ask = (range: string, url = served.url) => fetch(url, { headers: { range } });
    const part = await ask('bytes=1000-1999');
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/4000000']);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1000, 2000));
    expect((await ask('bytes=4000000-')).status).toBe(416);
    expect((await ask('bytes=0-', new URL('/', served.url).href)).status).toBe(404);
    expect((await fetch(served.url, { method: 'POST' })).status).toBe(404);
    expect(served.failure).toBeNull();
    expect(inputArgs(served.url, ['mp4']).slice(0, 2)).toEqual(['-protocol_whitelist', 'http,tcp']);
    for (const other of [
      'http://127.0.0.1:80/x',
      'http://example.com/0123456789abcdef0123456789abcdef',
      'a.mp4',
    ])
      expect(() => inputArgs(other, ['mp4'])).toThrow('not an absolute path');
  });

  test('is not fetched further than it is read, and no reader keeps it open', async () => {
    const { served } = await serve();
    const reading = request(served.url).end();
    reading.on('error', () => {});
    await new Promise<void>((resolve) =>
      reading.once('response', (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
        response.on('error', () => {});
      }),
    );
    await waitFor(() => served.servedBytes > 0, { describe: 'the first bytes' });
    await served[Symbol.asyncDispose]();
    expect(served.servedBytes).toBeLessThan(4_000_000);
    expect(served.failure).toBeNull();
    await expect(fetch(served.url)).rejects.toThrow();
  });
});
