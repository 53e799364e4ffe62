import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';

const ENQUEUE = `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" }, scheduledFor: "2099-01-01T00:00:00Z" }) {
  ... on EnqueueJobPayload { job { id } }
} }`;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function jobCount(tenantId: string): Promise<number> {
  const { rows } = await api.superuser.query(
    'select count(*)::integer as count from millrace.jobs where tenant_id = $1',
    [tenantId],
  );
  return rows[0].count;
}

test('a client that does not listen to the close of its socket has nothing more done for it after its token has ended', async () => {
  const tenantId = await api.makeTenant();
  const { errors } = await api.query(await api.token(tenantId, 'tenant_admin'), ENQUEUE);
  expect(errors).toEqual([]);
  const ttlSeconds = 5;
  const token = await api.token(tenantId, 'tenant_admin', { ttlSeconds });
  const endsAtMs = Date.now() + ttlSeconds * 1_000;
  const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  const types: string[] = [];
  let closeCode: number | null = null;
  socket.on('message', (data) => types.push(JSON.parse(String(data)).type));
  socket.on('close', (code) => {
    closeCode = code;
  });
  const enqueue = (id: string): void =>
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: ENQUEUE } }));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
  await waitFor(() => types.includes('connection_ack'), { describe: 'the ack' });
  expect(await jobCount(tenantId)).toBe(1);

  // It reads nothing from now on, and so does not know that it was closed; what it writes still arrives.
  socket.pause();
  await waitFor(() => Date.now() > endsAtMs + 1_000, { describe: 'the token to have ended' });
  for (let nth = 0; nth < 5; nth++) enqueue(`after-${nth}`);
  socket.resume();
  expect(await waitFor(() => closeCode, { describe: 'it to read that it was closed' })).toBe(4403);
  expect(await jobCount(tenantId)).toBe(1);
});

test('an id of an operation that is too long to be kept is refused, and the socket goes on', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  const messages: { readonly id?: string; readonly type: string; readonly payload?: unknown }[] = [];
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
  await waitFor(() => messages.length > 0, { describe: 'the ack' });
  const query = 'subscription { jobSummary { isComplete } }';
  const ids = ['x'.repeat(256), 'y'.repeat(255)];
  for (const id of ids) socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }));
  await waitFor(() => messages.length > 2, { describe: 'an answer to both' });
  const [, refused, first] = messages;
  expect(refused).toMatchObject({
    id: ids[0],
    type: 'error',
    payload: [{ extensions: { code: 'BAD_REQUEST' } }],
  });
  expect(first).toMatchObject({ id: ids[1], type: 'next' });
  socket.close();
  await closed;
});
