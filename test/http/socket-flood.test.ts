import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test('of a socket 5,000 messages are read at once and 500 a second then, none is lost, and others are answered meanwhile', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  const heard: Record<string, number> = {};
  socket.on('message', (data) => {
    const { type } = JSON.parse(String(data));
    heard[type] = (heard[type] ?? 0) + 1;
  });
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
  await waitFor(() => heard['connection_ack'], { describe: 'the acknowledgement' });
  const beganMs = performance.now();
  for (let n = 0; n < 7_000; n++) socket.send('{"type":"ping"}');
  const other = await api.token(await api.makeTenant(), 'member');
  expect((await api.query(other, '{ viewer { name } }')).errors).toEqual([]);
  await waitFor(() => heard['pong'] === 7_000, { describe: 'all to be answered' });
  // 2,000 of them at 500 a second.
  expect(performance.now() - beganMs).toBeGreaterThan(3_500);
  socket.close();
  await new Promise((resolve) => socket.on('close', resolve));
});
