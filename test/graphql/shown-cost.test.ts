import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const QUERY = '{ jobs(first: 40) { nodes { id status } } }';
/** Its base, its root field, and three fields of each row. */
const COST = 10 + 1 + 120;
/** As good as nothing comes back while the test runs. */
const LIMIT = 10_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    env: {
      MILLRACE_CALLER_COST_PER_SECOND: '10',
      MILLRACE_TENANT_COST_PER_SECOND: '1000',
      MILLRACE_RATE_BURST_SECONDS: `${LIMIT / 10}`,
    },
  });
});
afterAll(() => api.close());

async function send(token: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(api.server.graphqlUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      connection: 'close',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  return { headers: response.headers, answer: (await response.json()) as any };
}

test.each([
  ['a header', { query: QUERY }, { 'x-millrace-cost': '1' }],
  ['the request’s extensions', { query: QUERY, extensions: { showCost: true } }, {}],
])(
  'a caller that asks by %s is shown what an operation cost and what is left',
  async (_how, body, headers) => {
    const token = await api.token(await api.makeTenant(), 'member');
    const first = (await send(token, body, headers as Record<string, string>)).answer.extensions.cost;
    expect(first).toMatchObject({ requested: COST, limit: LIMIT });
    expect(first.remaining).toBeGreaterThanOrEqual(LIMIT - COST);
    const second = (await send(token, body, headers as Record<string, string>)).answer.extensions.cost;
    expect(second.remaining).toBeLessThan(first.remaining);
    // At ten a second a hundred are back after ten.
    expect(new Date(second.resetAt).getTime()).toBeGreaterThan(Date.now());
  },
);

test('over a socket the request’s extensions ask for it, of a query as of a mutation', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const socket = openSocket(api.server.graphqlUrl, { token });
  const mutation =
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { __typename } }';
  for (const query of [QUERY, mutation]) {
    const { received } = socket.subscribe(query, {}, { showCost: true });
    await waitFor(() => received.length > 0, { describe: 'the answer' });
    expect(received[0]).toMatchObject({
      extensions: { cost: { limit: LIMIT, requested: expect.any(Number) } },
    });
  }
  await socket.close();
});

test('nobody else is shown it; headers say what is left to all, by the lesser of caller and tenant', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const { answer, headers } = await send(token, { query: QUERY });
  expect(answer.extensions).toBeUndefined();
  expect(headers.get('ratelimit-limit')).toBe(String(LIMIT));
  expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(LIMIT - COST);
  expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(LIMIT);
  expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
});

test('a request for it that is no flag is refused by name', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const { answer } = await send(token, { query: QUERY, extensions: { showCost: 'yes' } });
  expect(answer.errors).toMatchObject([
    { extensions: { code: 'BAD_REQUEST', field: 'extensions.showCost' } },
  ]);
});
