import { expect, test } from 'vitest';
import { createMillraceClient } from '../../src/client/index.ts';

function clientOf() {
  const sent: string[] = [];
  const client = createMillraceClient({
    url: 'http://localhost/graphql',
    token: 'a-token',
    fetch: async (_url, init) => {
      sent.push(String(init?.body));
      return Response.json({ data: { enqueueJob: { __typename: 'EnqueueJobPayload' } } });
    },
  });
  return { client, sent };
}

const enqueue = (payload: unknown) => {
  const { client, sent } = clientOf();
  const call = client.request(
    'mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { __typename } }',
    {
      input: { definition: 'echo', payload },
    },
  );
  return { call, sent };
};

const circle: Record<string, unknown> = {};
circle['self'] = circle;

test.each([
  ['payload.items[1].price', { items: [{ price: 1 }, { price: Number.NaN }] }],
  ['payload.n', { n: Number.POSITIVE_INFINITY }],
  ['payload', Number.NEGATIVE_INFINITY],
  ['payload.id', { id: 9_007_199_254_740_993n }],
  ['variables', circle],
])('%s is refused by name before anything is sent, and not tried again', async (field, payload) => {
  const { call, sent } = enqueue(payload);
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field, recovery: 'none' });
  expect(sent).toEqual([]);
});

test('what JSON has is sent as it is: null, what is omitted, one value in two places, large numbers', async () => {
  const shared = { n: 1 };
  const payload = {
    none: null,
    gone: undefined,
    list: [shared, shared, undefined],
    large: 2 ** 60,
    at: new Date(0),
  };
  const { call, sent } = enqueue(payload);
  await call;
  expect(JSON.parse(sent[0] ?? '').variables.input.payload).toEqual(JSON.parse(JSON.stringify(payload)));
});
