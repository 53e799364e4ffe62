import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type Answer, ask, TRANSPORTS, type Transport } from '../support/ask.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const QUERY = '{ jobs(first: 100) { nodes { id status } } }';
/** Its base, its root field, and three fields of each row. */
const COST = 10 + 1 + 300;

let api: TestApi;
/** One in which a caller may ask `QUERY` three times, and then for minutes no more. */
let tight: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  tight = await startTestApi({
    env: {
      MILLRACE_CALLER_COST_PER_SECOND: '1',
      MILLRACE_TENANT_COST_PER_SECOND: '2',
      MILLRACE_RATE_BURST_SECONDS: '1000',
    },
  });
});
afterAll(async () => {
  await tight.close();
  await api.close();
});

/** Asks until it is refused. @returns the refusal */
async function exhaust(token: string, transport: Transport, query = QUERY): Promise<Answer> {
  for (let i = 0; i < 10; i++) {
    const answer = await ask(tight, token, transport, { query });
    if (answer.errors.length > 0) return answer;
  }
  throw new Error('Never refused');
}

describe.each(TRANSPORTS)('over %s, a caller that asks too much', (transport) => {
  it('gets the limit, how much it was, and when to come again', async () => {
    const token = await tight.token(await tight.makeTenant(), 'member');
    const { errors, status, headers } = await exhaust(token, transport);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      scope: 'caller',
      counted: 'cost',
      limit: 1000,
      perSecond: 1,
    });
    const { actual, retryAfterMs } = (errors[0]?.extensions ?? {}) as {
      actual: number;
      retryAfterMs: number;
    };
    expect(actual).toBeGreaterThan(1000);
    expect(actual).toBeLessThanOrEqual(1000 + COST);
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(COST * 1000);
    if (transport === 'socket') return;
    expect(status).toBe(429);
    expect(Number(headers?.get('retry-after'))).toBe(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  });
});

describe('the rates', () => {
  it('count the same caller over all transports together', async () => {
    const token = await tight.token(await tight.makeTenant(), 'member');
    await exhaust(token, 'http');
    for (const transport of ['sse', 'socket'] as const) {
      const { errors } = await ask(tight, token, transport, { query: QUERY });
      expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
    }
  });

  it('count each person for themselves, all of a tenant together, and no other tenant', async () => {
    const tenantId = await tight.makeTenant();
    const [alice, bob, carol] = await Promise.all(
      ['alice', 'bob', 'carol'].map((subject) => tight.token(tenantId, 'member', { subject })),
    );
    await exhaust(alice as string, 'http');
    expect((await ask(tight, bob as string, 'http', { query: QUERY })).errors).toEqual([]);
    await exhaust(bob as string, 'http');
    const { errors } = await exhaust(carol as string, 'http');
    expect(errors[0]?.extensions).toMatchObject({ scope: 'tenant', limit: 2000, perSecond: 2 });
    const elsewhere = await tight.token(await tight.makeTenant(), 'member');
    expect((await ask(tight, elsewhere, 'http', { query: QUERY })).errors).toEqual([]);
  });

  it('count a refused document as a large operation, since checking it was work', async () => {
    const token = await tight.token(await tight.makeTenant(), 'member');
    const { errors } = await ask(tight, token, 'http', { query: '{ nothingOfTheKind }' });
    expect(errors[0]?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
    const next = await ask(tight, token, 'http', { query: QUERY });
    expect(next.errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('count subscriptions apart: neither takes from the other', async () => {
    const few = await startTestApi({
      env: {
        MILLRACE_CALLER_COST_PER_SECOND: '1',
        MILLRACE_CALLER_SUBSCRIBES_PER_SECOND: '1',
        MILLRACE_RATE_BURST_SECONDS: '60',
      },
    });
    const watch = 'subscription { jobChanges { __typename } }';
    const [warm, token] = await Promise.all(
      ['alice', 'bob'].map(async (subject) => few.token(await few.makeTenant(), 'member', { subject })),
    );
    // A document that this process has never seen is read at the cost of queries, whatever it turns out to
    // be.
    expect((await ask(few, warm as string, 'sse', { query: watch })).errors).toEqual([]);
    const asked = await Promise.all([1, 2, 3].map(() => ask(few, token as string, 'http', { query: QUERY })));
    expect(asked.map(({ errors }) => errors.length).sort()).toEqual([0, 1, 1]);
    const socket = openSocket(few.server.graphqlUrl, { token: token as string });
    const streams = Array.from({ length: 150 }, () => socket.subscribe(watch));
    await waitFor(() => streams.every(({ received, ended }) => received.length > 0 || ended() !== null), {
      describe: 'each to be answered',
    });
    const refused = streams.map(({ ended }) => ended()).filter(Array.isArray);
    expect(streams.length - refused.length).toBeGreaterThanOrEqual(60);
    expect(refused[0]?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      counted: 'subscribes',
      limit: 60,
    });
    for (const stream of streams) stream.stop();
    await socket.close();
    await few.close();
  });

  it('let by default 2,000 subscribers of one token come within two seconds', async () => {
    const token = await api.token(await api.makeTenant(), 'member');
    const sockets = Array.from({ length: 4 }, () => openSocket(api.server.graphqlUrl, { token }));
    const streams = sockets.flatMap((socket) =>
      Array.from({ length: 500 }, () => socket.subscribe('subscription { jobChanges { __typename } }')),
    );
    await waitFor(() => streams.every(({ received }) => received.length > 0), {
      describe: () => JSON.stringify(streams.find(({ received }) => received.length === 0)?.ended()),
    });
    for (const stream of streams) stream.stop();
    await Promise.all(sockets.map((socket) => socket.close()));
  });
});
