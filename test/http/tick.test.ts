import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countFinishes } from '../../src/core/tick.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let tenantId: string;
let admin: string;
/** What the route asked of the worker. */
let asked: number[] = [];
let tick: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  api = await startTestApi({
    runTick: async (max) => {
      asked.push(max);
      await tick();
      return countFinishes([null]);
    },
  });
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'super_admin');
});
afterAll(() => api?.close());
beforeEach(() => {
  asked = [];
  tick = async () => undefined;
});

async function send(
  token: string | null,
  {
    method = 'POST',
    body,
    type = 'application/json',
    to = api,
  }: {
    method?: string;
    body?: string;
    type?: string;
    to?: TestApi;
  } = {},
) {
  const response = await fetch(`${to.url}/api/jobs/tick`, {
    method,
    headers: {
      connection: 'close',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

describe('POST /api/jobs/tick', () => {
  test('runs ten jobs by default, or as many as are asked for, and answers with the counts', async () => {
    for (const body of [undefined, '{}', '{"max":1}', '{"max":100}'])
      expect(await send(admin, body === undefined ? {} : { body })).toMatchObject({
        status: 200,
        body: { ok: true, claimed: 1, succeeded: 0, lost: 1 },
      });
    expect(asked).toEqual([10, 10, 1, 100]);
  });

  test('refuses any other number, and what it does not know, before anything is run', async () => {
    for (const body of ['{"max":0}', '{"max":101}', '{"max":1.5}', '{"max":"10"}', '{"limit":5}', '[]', '7'])
      expect(await send(admin, { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'InvalidArgument', allowed: expect.any(String) } },
      });
    expect(await send(admin, { body: '{"max":' })).toMatchObject({ status: 400 });
    expect(await send(admin, { body: 'max=1', type: 'text/plain' })).toMatchObject({ status: 415 });
    expect(await send(admin, { body: `{"max":1${' '.repeat(2_000)}}` })).toMatchObject({ status: 413 });
    expect(asked).toEqual([]);
  });

  test('is for super admins: those without the right learn nothing, others learn what it takes', async () => {
    expect(await send(null)).toMatchObject({ status: 401, body: { error: { code: 'Unauthenticated' } } });
    expect((await send(null)).headers.get('www-authenticate')).toBe('Bearer');
    expect(await send('not-a-token')).toMatchObject({ status: 401 });
    for (const role of ['worker', 'member', 'tenant_admin'] as const)
      expect(await send(await api.token(tenantId, role))).toMatchObject({
        status: 403,
        body: { error: { code: 'Forbidden', allowed: 'super_admin' } },
      });
    expect(asked).toEqual([]);
  });

  test('takes no other method, and says which it takes', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      const answer = await send(admin, { method });
      expect(answer).toMatchObject({ status: 405 });
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  test('keeps what broke inside to itself', async () => {
    tick = async () => {
      throw new Error('secret of the house');
    };
    const answer = await send(admin);
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'Internal' } } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  test('says that there is no worker where there is none, after asking who wants to know', async () => {
    const bare = await startTestApi();
    try {
      const [member, superAdmin] = [
        await bare.token(await bare.makeTenant(), 'member'),
        await bare.token(await bare.makeTenant(), 'super_admin'),
      ];
      expect(await send(superAdmin, { to: bare })).toMatchObject({
        status: 501,
        body: { error: { code: 'NoWorker' } },
      });
      expect(await send(member, { to: bare })).toMatchObject({ status: 403 });
    } finally {
      await bare.close();
    }
  });
});
