import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DownloadRequest, openDownload } from '../../src/outgoing/download.ts';
import { Outgoing } from '../../src/outgoing/outgoing.ts';
import { type StrangeServer, startStrangeServer } from './strange-server.ts';

const FILE = randomBytes(3_000_000);
const HASH = hashOf(FILE);
/** Bytes after which the connection breaks, request by request; null: it does not. */
let breaks: (number | null)[] = [];
let etag = '"v1"';
let server: StrangeServer;
let outgoing: Outgoing;

beforeAll(async () => {
  server = await startStrangeServer({
    '/file': (request, response) => sendFile(request, response, { etag, 'accept-ranges': 'bytes' }),
    '/weak': (request, response) => sendFile(request, response, { etag: 'W/"v1"' }),
    '/short': (_request, response) =>
      void response.writeHead(200, { 'content-length': '10' }).write('12345', () => response.destroy()),
    '/away': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/file' }).end(),
  });
  outgoing = new Outgoing({
    outgoingAllowed: ['127.0.0.2'],
    outgoingPorts: ['80', '443'],
    outgoingUserAgent: 'millrace/1.0',
    outgoingMaxRedirects: 5,
  });
});
afterAll(async () => {
  await outgoing.close();
  await server.close();
});

/** As a server of files does, ranges included; it breaks off where the test says. */
function sendFile(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) {
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  const isPart = range !== undefined && request.headers['if-range'] === headers['etag'];
  const from = isPart ? Number(range) : 0;
  response.writeHead(isPart ? 206 : 200, {
    ...headers,
    'content-type': 'video/mp4',
    'content-length': FILE.length - from,
    ...(isPart && { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
  });
  const end = breaks.shift() ?? null;
  if (end === null) response.end(FILE.subarray(from));
  else response.write(FILE.subarray(from, from + end), () => response.destroy());
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const at = (path: string) => `http://127.0.0.2:${server.port}${path}`;
const begin = (path: string, request: DownloadRequest = {}) =>
  openDownload(outgoing, at(path), { retryMs: 1, ...request });

async function all(path: string, request?: DownloadRequest): Promise<Buffer> {
  const { stream } = await begin(path, request);
  return Buffer.concat(await stream.toArray());
}

describe('a file that is downloaded', () => {
  test('comes with its size and its type, and is asked for without compression', async () => {
    breaks = [];
    const { stream, sizeBytes, mediaType, host } = await begin('/file');
    expect({ sizeBytes, mediaType, host }).toEqual({
      sizeBytes: FILE.length,
      mediaType: 'video/mp4',
      host: `127.0.0.2:${server.port}`,
    });
    expect(hashOf(Buffer.concat(await stream.toArray()))).toBe(HASH);
    expect(server.asked.at(-1)?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  test('goes on where its connection broke, as often as it takes', async () => {
    breaks = [1_000_000, 400_000, 1, 900_000, null];
    const resumed: number[] = [];
    const received = await all('/file', { onResume: (bytes) => resumed.push(bytes) });
    expect(hashOf(received)).toBe(HASH);
    expect(resumed.length).toBeGreaterThanOrEqual(4);
    expect(resumed).toEqual([...resumed].sort((a, b) => a - b));
  });

  test('is not joined with the rest of another version', async () => {
    breaks = [1_000_000];
    etag = '"v1"';
    await expect(
      all('/file', {
        onResume: () => {
          etag = '"v2"';
        },
      }),
    ).rejects.toMatchObject({ code: 'ConnectionFailed' });
    etag = '"v1"';
  });

  test.each(['/weak', '/short'])('fails where the rest of %s cannot be asked for', async (path) => {
    breaks = [5];
    const asked = server.asked.length;
    await expect(all(path)).rejects.toMatchObject({ code: 'ConnectionFailed' });
    expect(server.asked.length).toBe(asked + 1);
  });

  test('is given up after five connections in a row that bring nothing', async () => {
    breaks = [1_000, ...Array<number>(20).fill(0)];
    const asked = server.asked.length;
    await expect(all('/file')).rejects.toMatchObject({ code: 'ConnectionFailed' });
    expect(server.asked.length).toBe(asked + 6);
    breaks = [];
  });

  test('ends when nothing comes for too long, at the head or later', async () => {
    await expect(begin('/silent', { stallMs: 50 })).rejects.toMatchObject({ code: 'TimedOut' });
    await expect(all('/slow', { stallMs: 200 })).rejects.toMatchObject({ code: 'TimedOut' });
  });

  test('ends with the caller, as aborted', async () => {
    const stop = new AbortController();
    const { stream } = await begin('/slow', { signal: stop.signal });
    stop.abort();
    await expect(stream.toArray()).rejects.toMatchObject({ code: 'Aborted' });
  });

  test.each([
    ['/nowhere', { name: 'DownloadRefused', status: 404 }],
    ['/error', { name: 'DownloadRefused', status: 503 }],
    ['/page', { code: 'ContentTypeRefused' }],
    ['/away', { code: 'AddressRefused' }],
  ])('is refused at %s before a byte of it is read', async (path, expected) => {
    await expect(begin(path, { contentTypes: ['video/*'] })).rejects.toMatchObject(expected);
  });

  test('closes its connection when nobody reads it', async () => {
    const isClosed = Promise.withResolvers<void>();
    server.serve('/unread', (request, response) => {
      request.socket.once('close', () => isClosed.resolve());
      response.writeHead(200, { 'content-length': '10' }).write('x');
    });
    const { stream } = await begin('/unread');
    stream.destroy();
    await isClosed.promise;
  });

  test('is not held in memory, however slowly it is read', async () => {
    const { stream } = await begin('/huge');
    await new Promise((resolve) => stream.once('readable', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.readableLength).toBeLessThan(1_000_000);
    stream.destroy();
  });
});
