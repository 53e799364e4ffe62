import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';

let tight: TestApi;
let tenantId: string;

beforeAll(async () => {
  tight = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '1', MILLRACE_RATE_BURST_SECONDS: '1000' },
  });
  tenantId = await tight.makeTenant();
});
afterAll(() => tight?.close());

async function post(token: string): Promise<Response> {
  return fetch(`${tight.url}/clips`, {
    method: 'POST',
    headers: { connection: 'close', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ video_id: '018f0000-0000-7000-8000-00000000dead', t_start: 0, t_end: 1000 }),
  });
}

test('POST /clips takes from the same rate as GraphQL, shows what is left, and is refused once it is used up', async () => {
  const token = await tight.token(tenantId, 'member');
  const first = await post(token);
  expect(first.status).toBe(404);
  expect(first.headers.get('ratelimit-limit')).toBe('1000');
  expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(991);
  let last = first;
  for (let i = 0; i < 150 && last.status !== 429; i++) last = await post(token);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await last.json()).toMatchObject({ error: { code: 'RateLimited' } });
  const graphql = await fetch(`${tight.url}/graphql`, {
    method: 'POST',
    headers: { connection: 'close', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { __typename } jobs(first: 50) { nodes { id } } }' }),
  });
  expect(graphql.status).toBe(429);
});

test('POST /clips refuses a key that takes registered operations alone, whatever its role', async () => {
  const admin = await tight.token(await tight.makeTenant(), 'tenant_admin');
  const made = await fetch(`${tight.url}/graphql`, {
    method: 'POST',
    headers: { connection: 'close', authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation { createApiKey(input: { name: "k", role: MEMBER, isPersistedOnly: true }) {
        ... on CreateApiKeyPayload { secret } } }`,
    }),
  });

  const { data } = (await made.json()) as { data: { createApiKey: { secret: string } } };
  const response = await post(data.createApiKey.secret);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { code: 'PersistedOnly' } });
});
