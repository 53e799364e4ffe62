import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

/** As many refusals as this come at once, and then one a second. */
const BURST = 20;
/** The test's own connections come from a trusted proxy, which says for whom. */
const FLOODING = '203.0.113.7';

let api: TestApi;
let token: string;
let strangerCount = 0;

beforeAll(async () => {
  api = await startTestApi({
    env: {
      MILLRACE_ADDRESS_FAILURES_PER_SECOND: '1',
      MILLRACE_RATE_BURST_SECONDS: `${BURST}`,
      MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8, ::1',
    },
  });
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

/** A key that nobody has shown before. */
const guess = (): string => `mr_${String(strangerCount++).padStart(43, '0')}`;

async function send(path: string, from: string, bearer: string, method = 'POST') {
  const response = await fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      'x-forwarded-for': from,
      connection: 'close',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: JSON.stringify({ query: '{ __typename }' }) }),
  });
  await response.text();
  return response;
}

/** Guesses until the address is refused unseen. */
const flood = (from: string) =>
  waitFor(
    async () => {
      for (let i = 0; i < 2 * BURST; i++) {
        const response = await send('/graphql', from, guess());
        if (response.status === 429) return response;
        expect(response.status).toBe(401);
      }
      return undefined;
    },
    { describe: 'the address to be refused' },
  );

test('an address that guesses too often is refused on every route, with when to come again; others are not', async () => {
  // What was good within ten minutes is taken from there all the same.
  expect((await send('/graphql', FLOODING, token)).status).toBe(200);
  const refused = await flood(FLOODING);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  for (const [method, path] of [
    ['POST', '/graphql'],
    ['POST', '/clips'],
    ['POST', '/api/jobs/tick'],
    ['GET', '/metrics'],
  ] as const) {
    const response = await waitFor(
      async () => {
        const given = await send(path, FLOODING, guess(), method);
        return given.status === 429 ? given : undefined;
      },
      { describe: `${path} to refuse the address` },
    );
    expect(Number(response.headers.get('retry-after')), path).toBeGreaterThanOrEqual(1);
  }
  expect((await send('/graphql', FLOODING, token)).status).toBe(200);
  expect((await send('/graphql', '203.0.113.8', guess())).status).toBe(401);
});

test('of IPv6 a network of 64 bits counts as one address', async () => {
  await flood('2001:db8:0:1::7');
  const responses = [];
  for (let host = 0; host < 3; host++)
    responses.push((await send('/graphql', `2001:db8:0:1:${host}::9`, guess())).status);
  expect(responses).toContain(429);
  expect((await send('/graphql', '2001:db8:0:2::7', guess())).status).toBe(401);
});

test('a socket of a refused address is closed with 1013, which clients come back from by themselves', async () => {
  const code = await waitFor(
    async () => {
      // Sockets of this process come without a forwarded address: they are the proxy's own.
      await Promise.all(Array.from({ length: BURST }, () => send('/graphql', '127.0.0.1', guess())));
      const socket = openSocket(api.server.graphqlUrl, { token: guess() });
      socket.subscribe('{ __typename }');
      const closed = await waitFor(() => socket.closeCode(), { describe: 'the socket to close' });
      await socket.close();
      expect([1013, 4403]).toContain(closed);
      return closed === 1013 ? closed : undefined;
    },
    { describe: 'a socket to be closed with 1013' },
  );
  expect(code).toBe(1013);
});

test('requests that are refused leave nothing on a connection that is kept', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const served: Socket[] = [];
  // Each request that a server of this process begins to answer.
  const begun = 'http.server.request.start';
  const take = (event: unknown): void => void served.push((event as { readonly socket: Socket }).socket);
  subscribe(begun, take);
  const warnings: string[] = [];
  const warn = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', warn);
  try {
    for (let i = 0; i < 200; i++) {
      const request = httpRequest(api.server.graphqlUrl, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${i}` },
      });
      request.end('{"query":"{ __typename }"}');
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await text(response);
      expect(response.statusCode).toBe(401);
    }
  } finally {
    unsubscribe(begun, take);
    process.off('warning', warn);
    agent.destroy();
  }
  expect(new Set(served).size).toBe(1);
  expect(served[0]?.listenerCount('close')).toBeLessThan(10);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
