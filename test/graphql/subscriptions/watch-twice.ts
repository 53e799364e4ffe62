import { expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { waitPromised } from '../../support/lateness.ts';
import { openStream, type TestStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type TestSocket, type TestSubscription } from '../../support/ws.ts';

export const WATCH = 'subscription { jobChanges { __typename } }';

export interface WatchedTwice {
  readonly socket: TestSocket;
  readonly onSocket: TestSubscription;
  readonly stream: TestStream;
}

/** Both transports watching with one token, each with an event by now. */
export async function watchTwice(api: TestApi, token: string): Promise<WatchedTwice> {
  const socket = openSocket(api.server.graphqlUrl, { token });
  const onSocket = socket.subscribe(WATCH);
  const stream = await openStream(api.server.graphqlUrl, token, WATCH);
  await onSocket.next(() => true, 'an event on the socket');
  await stream.next(() => true, 'an event on the stream');
  return { socket, onSocket, stream };
}

/**
 * How long a token must last here to be good until `watchTwice` has come back, whole seconds: several times
 * what that takes, and 3 at least.
 */
export async function watchingSeconds(api: TestApi, token: string): Promise<number> {
  const startedMs = performance.now();
  const { socket, stream } = await watchTwice(api, token);
  const tookMs = performance.now() - startedMs;
  stream.stop();
  await socket.close();
  return Math.max(3, Math.ceil((5 * tookMs) / 1000));
}

/**
 * Waits until both have ended as they should: 4403, a last error that says why, and nobody left on the
 * server.
 */
export async function endBoth(
  api: TestApi,
  { socket, stream }: WatchedTwice,
  withinMs: number,
): Promise<void> {
  await waitPromised(() => socket.closeCode() !== null && stream.isEnded(), {
    describe: 'both streams to end',
    withinMs,
    databaseUrl: api.databaseUrl,
  });
  expect(socket.closeCode()).toBe(4403);
  expect(stream.received.at(-1)?.errors?.[0].extensions.code).toBe('UNAUTHENTICATED');
  await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  await socket.close();
}
