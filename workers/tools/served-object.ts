import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { toError } from '../../src/core/errors.ts';
import { resolveRange } from '../../src/storage/byte-range.ts';
import type { ObjectStat, ObjectStore } from '../../src/storage/object-store.ts';

/** An object of the store as an address for a program of this machine, which reads of it what it needs. */
export interface ServedObject extends AsyncDisposable {
  readonly url: string;
  /** What has gone wrong with the store: a program only sees its input end too early, and takes the file for damaged. */
  readonly failure: Error | null;
  /** Bytes that programs were given so far. */
  readonly servedBytes: number;
}

/**
 * Serves an object by ranges on the loopback interface, under a name that cannot be guessed, until it is disposed of. Each request is
 * one of the store; what a program does not read to its end is not fetched to its end.
 * @param stat of the object as it is to be: another object under its key ends all reading
 */
export async function serveObject(
  storage: Pick<ObjectStore, 'get'>,
  stat: ObjectStat,
  signal: AbortSignal,
): Promise<ServedObject> {
  const path = `/${randomBytes(16).toString('hex')}`;
  let failure: Error | null = null;
  let servedBytes = 0;
  /** @param gone tells that the reader has seen enough and closed its connection, which is no failure */
  const send = async (
    rangeHeader: string | undefined,
    response: ServerResponse,
    gone: AbortSignal,
  ): Promise<void> => {
    const resolved = resolveRange(rangeHeader, stat.sizeBytes);
    if (resolved.kind === 'unsatisfiable') {
      response.writeHead(416, { 'content-range': `bytes */${stat.sizeBytes}` }).end();
      return;
    }
    const range = resolved.kind === 'partial' ? resolved.range : null;
    const body = await storage.get(stat.key, {
      range: (now) => {
        if (now.etag !== stat.etag || now.sizeBytes !== stat.sizeBytes)
          throw new Error('The original was replaced while it was read');
        return range;
      },
      signal: AbortSignal.any([signal, gone]),
    });
    // Before the pipeline hears of it, which closes the connection too.
    body.stream.once('error', (error) => {
      if (!gone.aborted) failure ??= error;
    });
    body.stream.on('data', (chunk: Buffer) => (servedBytes += chunk.length));
    response.writeHead(range === null ? 200 : 206, {
      'accept-ranges': 'bytes',
      'content-length': body.contentLengthBytes,
      ...(range && {
        'content-range': `bytes ${range.firstByte}-${range.lastByte}/${stat.sizeBytes}`,
      }),
    });
    await pipeline(body.stream, response);
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    send(request.headers.range, response, gone.signal).catch((thrown: unknown) => {
      if (!gone.signal.aborted) failure ??= toError(thrown);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    get failure() {
      return failure;
    },
    get servedBytes() {
      return servedBytes;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
