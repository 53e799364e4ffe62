import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movesOf } from '../client/watching.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let tenantId: string;
let token: string;
let url: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
  url = `${api.server.graphqlUrl}/streams`;
});
afterAll(() => api.close());

const CHANGES = 'subscription { jobChanges { __typename ... on JobUpdated { job { uuid status } } } }';

interface Event {
  readonly event: string;
  readonly id: string;
  readonly payload?: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly extensions: object }[];
  };
}

async function open(operations: unknown, bearer = token) {
  const leaving = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${bearer}`,
      connection: 'close',
    },
    body: JSON.stringify({ operations }),
  });
  const events: Event[] = [];
  let isEnded = false;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== '') events.push({ event, ...JSON.parse(data) });
      }
    }
    isEnded = true;
  };
  if (response.ok) void read().catch(() => undefined);
  const of = (id: string): Event[] => events.filter((event) => event.id === id);
  return { response, events, of, isEnded: () => isEnded, stop: () => leaving.abort() };
}

describe('POST /graphql/streams', () => {
  it('carries several subscriptions, each under its id, and leaving frees them all', async () => {
    const stream = await open([
      { id: 'changes', query: CHANGES },
      { id: 'counts', query: 'subscription { jobSummary { total { queued } } }' },
      { id: 'once', query: '{ viewer { role } }' },
    ]);
    await waitFor(
      () => stream.of('changes').some(({ payload }) => JSON.stringify(payload).includes('FeedReady')),
      {
        describe: () => `FeedReady in ${JSON.stringify(stream.events)}`,
      },
    );
    expect(stream.of('once')).toEqual([
      { event: 'next', id: 'once', payload: { data: { viewer: { role: 'TENANT_ADMIN' } } } },
      { event: 'complete', id: 'once' },
    ]);
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId],
    );
    const uuid: string = rows[0].id;
    await movesOf(api, tenantId).run(uuid);
    await waitFor(() => JSON.stringify(stream.of('changes')).includes('RUNNING'), { describe: 'the change' });
    await waitFor(() => stream.of('counts').length > 0, { describe: 'the counts' });
    stream.stop();
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  });

  it('refuses one operation by itself, and ends when all have ended', async () => {
    const stream = await open([
      { id: 'bad', query: 'subscription { nothing }' },
      { id: 'wide', query: '{ jobs(first: 10000) { nodes { id } } }' },
      { id: 'good', query: '{ viewer { role } }' },
    ]);
    await waitFor(stream.isEnded, { describe: 'the end' });
    expect(stream.of('bad')[0]?.payload?.errors).toHaveLength(1);
    expect(stream.of('wide')[0]?.payload?.errors).toHaveLength(1);
    expect(stream.of('good')[0]?.payload?.data).toEqual({ viewer: { role: 'TENANT_ADMIN' } });
    expect(stream.events.filter(({ event }) => event === 'complete')).toHaveLength(3);
  });

  it.each([
    ['nothing', undefined, 'operations'],
    ['an empty list', [], 'operations'],
    ['too many', Array.from({ length: 1_001 }, (_, n) => ({ id: `${n}`, query: CHANGES })), 'operations'],
    ['no object', [1], 'operations[0]'],
    ['an id that is no name', [{ id: 'a b', query: CHANGES }], 'operations[0].id'],
    [
      'the same id twice',
      [
        { id: 'a', query: CHANGES },
        { id: 'a', query: CHANGES },
      ],
      'operations[1].id',
    ],
  ])('refuses %s, naming the field', async (_, operations, field) => {
    const { response } = await open(operations);
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0].extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });

  it('answers nobody without identity', async () => {
    const { response } = await open([{ id: 'a', query: CHANGES }], 'nonsense');
    expect(response.status).toBe(401);
  });
});
