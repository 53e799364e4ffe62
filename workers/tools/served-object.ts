import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toError } from '../../src/core/errors.ts';
import { resolveRange } from '../../src/storage/byte-range.ts';
import type { ObjectStat, ObjectStore } from '../../src/storage/object-store.ts';

/** An object of the store as an address for a program of this machine, which reads of it what it needs. */
export interface ServedObject extends AsyncDisposable {
  readonly url: string;
  /**
   * What has gone wrong with the store: a program only sees its input end too early, and takes the file for
   * damaged.
   */
  readonly failure: Error | null;
  /** Bytes that programs were given so far. */
  readonly servedBytes: number;
}

/** Limit of one request. */
const MAX_BREAKS = 5;

/**
 * Serves an object by ranges on the loopback interface, under a name that cannot be guessed, until it is
 * disposed of. Each request is one of the store; what a program does not read to its end is not fetched to
 * its end.
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
  /** @param gone called when the reader has seen enough and closed its connection, which is no failure */
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
    const { firstByte, lastByte } =
      resolved.kind === 'partial' ? resolved.range : { firstByte: 0, lastByte: stat.sizeBytes - 1 };
    const from = (at: number) =>
      storage.get(stat.key, {
        range: (now) => {
          if (now.etag !== stat.etag || now.sizeBytes !== stat.sizeBytes)
            throw new Error('The original was replaced while it was read');
          return stat.sizeBytes === 0 ? null : { firstByte: at, lastByte };
        },
        signal: AbortSignal.any([signal, gone]),
      });
    let { stream } = await from(firstByte);
    response.writeHead(resolved.kind === 'partial' ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-length': lastByte - firstByte + 1,
      ...(resolved.kind === 'partial' && {
        'content-range': `bytes ${firstByte}-${lastByte}/${stat.sizeBytes}`,
      }),
    });
    for (let [at, breaks] = [firstByte, 0]; ; ) {
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          at += chunk.length;
          servedBytes += chunk.length;
          if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
        }
        break;
      } catch (error) {
        // A store may close a connection that is read slowly, as an encoder does: the rest is asked for
        // again.
        if (gone.aborted || signal.aborted || ++breaks > MAX_BREAKS) throw error;
        stream = (await from(at)).stream;
      }
    }
    response.end();
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
