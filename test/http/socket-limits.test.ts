import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const BURST_SECONDS = 30;
const MAX_QUERIES = 3;
/** As many as this a second are opened, and more: a slow machine must not let the buckets fill meanwhile. */
const ROUND = 20;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    env: {
      MILLRACE_RATE_BURST_SECONDS: `${BURST_SECONDS}`,
      MILLRACE_CALLER_CONNECTS_PER_SECOND: '1',
      MILLRACE_ADDRESS_CONNECTS_PER_SECOND: '4',
      MILLRACE_MAX_SOCKET_QUERIES: `${MAX_QUERIES}`,
    },
  });
});
afterAll(() => api.close());

type Outcome =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined };

/** Opens a socket, says who it is, and closes it again. */
function connect(token: string): Promise<Outcome> {
  const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  return new Promise((resolve, reject) => {
    let outcome: Outcome | null = null;
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
    socket.on('message', () => {
      outcome = { kind: 'acknowledged' };
      socket.close();
    });
    socket.on('close', (code, reason) =>
      resolve(outcome ?? { kind: 'closed', code, reason: String(reason) }),
    );
    socket.on('unexpected-response', (request, { statusCode, headers }) => {
      request.destroy();
      resolve({ kind: 'refused', status: statusCode ?? 0, retryAfter: headers['retry-after'] });
    });
    socket.on('error', (error) => (outcome === null ? reject(error) : undefined));
  });
}

/** Opens sockets until something else than an acknowledgement comes. */
function connectUntil<K extends Outcome['kind']>(kind: K, token: string) {
  return waitFor(
    async () => {
      const outcomes = await Promise.all(Array.from({ length: ROUND }, () => connect(token)));
      return outcomes.find((outcome) => outcome.kind === kind) as Extract<Outcome, { kind: K }> | undefined;
    },
    { describe: `a socket to be ${kind}` },
  );
}

test('a socket has a limited number of queries under way; those beyond are refused, and it goes on', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const socket = openSocket(api.server.graphqlUrl, { token });
  await api.superuser.query('begin');
  await api.superuser.query('lock table millrace.jobs in access exclusive mode');
  const ask = () => socket.subscribe('{ jobs(first: 1) { nodes { id } } }');
  const waiting = Array.from({ length: MAX_QUERIES }, ask);
  const beyond = ask();
  const refusal = await waitFor(() => beyond.ended(), { describe: 'the refusal' });
  expect(refusal).toMatchObject([
    { extensions: { code: 'TOO_MANY_OPERATIONS', limit: MAX_QUERIES, actual: MAX_QUERIES + 1 } },
  ]);
  expect(waiting.map((query) => query.received.length)).toEqual([0, 0, 0]);
  await api.superuser.query('rollback');
  await waitFor(() => waiting.every(({ ended }) => ended() !== null), { describe: 'the others to be done' });
  expect(waiting.map(({ received }) => received[0]?.errors)).toEqual([undefined, undefined, undefined]);
  const later = ask();
  await waitFor(() => later.received.length > 0, { describe: 'there to be room again' });
  await socket.close();
});

test('who opens sockets too often is closed with 1013 with the reason; others are not', async () => {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'member', { subject: 'ann' });
  const { code, reason } = await connectUntil('closed', token);
  expect(code).toBe(1013);
  expect(reason).toMatch(/^Too many new sockets of this caller: 31; allowed: 30 at once, 1 a second/);
  const other = await api.token(tenantId, 'member', { subject: 'bob' });
  expect(await connect(other)).toEqual({ kind: 'acknowledged' });
});

test('an address that opens sockets too often is refused before it says who it is', async () => {
  const { status, retryAfter } = await connectUntil('refused', 'no token at all');
  expect(status).toBe(429);
  expect(retryAfter).toBe('1');
  // Queries by HTTP are another matter.
  const token = await api.token(await api.makeTenant(), 'member');
  expect((await api.query(token, '{ viewer { role } }')).errors).toEqual([]);
});
