import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { ask, TRANSPORTS } from '../support/ask.ts';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');
const deep = (levels: number) =>
  `{ videos(first: 1) ${'{ nodes { jobs { video '.repeat(levels)} { id } ${'} } }'.repeat(levels)} }`;

const CASES: readonly (readonly [string, string, { limit: number; actual: number }])[] = [
  ['TOO_MANY_TOKENS', `{ ${repeat(1_500, () => 'a')} }`, { limit: 1_000, actual: 1_001 }],
  ['TOO_MANY_TOKENS', `query ($x: [Int] = ${'['.repeat(3_000)}) { a }`, { limit: 1_000, actual: 1_001 }],
  ['TOO_DEEP', deep(4), { limit: 12, actual: 14 }],
  ['TOO_MANY_ALIASES', `{ ${repeat(51, (i) => `a${i}: __typename`)} }`, { limit: 50, actual: 51 }],
  [
    'TOO_MANY_ALIASES',
    `{ ...F } fragment F on Query { ${repeat(60, (i) => `a${i}: __typename`)} }`,
    { limit: 50, actual: 60 },
  ],
  ['TOO_MANY_REPEATS', `{ ${repeat(31, () => '__typename')} }`, { limit: 30, actual: 31 }],
  [
    'TOO_MANY_REPEATS',
    `{ ...F ...F } fragment F on Query { ${repeat(16, () => '__typename')} }`,
    { limit: 30, actual: 32 },
  ],
  ['TOO_MANY_DIRECTIVES', `{ __typename ${repeat(51, () => '@aa')} }`, { limit: 50, actual: 51 }],
  ['TOO_MANY_DIRECTIVES', `query @a @a { ${repeat(49, (i) => `f${i} @b`)} }`, { limit: 50, actual: 51 }],
  [
    'TOO_MANY_FIELDS',
    `{ ...A0 } ${repeat(8, (i) => `fragment A${i} on Query { ...A${i + 1} ...A${i + 1} }`)} fragment A8 on Query { a b }`,
    { limit: 500, actual: 512 },
  ],
  [
    'TOO_COSTLY',
    '{ jobs(first: 100) { nodes { video { jobs { attempts { status jobId: status } } } } } }',
    { limit: 20_000, actual: 22_301 },
  ],
];

describe.each(TRANSPORTS)(
  'over %s, what is too much is refused with the limit and the value',
  (transport) => {
    it.each(CASES)('%s: %.60s', async (code, query, facts) => {
      const { data, errors, status } = await ask(api, token, transport, { query });
      expect(data).toBeNull();
      expect(errors[0]?.extensions).toMatchObject({ code, ...facts });
      // The status is for programs that read no bodies; a stream's client reads its events.
      if (transport === 'http') expect(status).toBe(400);
    });

    it('but not what is exactly as much as may be', async () => {
      for (const query of [
        `{ ${repeat(50, (i) => `a${i}: __typename`)} }`,
        `{ ${repeat(30, () => '__typename')} }`,
        `{ __typename ${repeat(50, () => '@include(if: true)')} }`.replaceAll(
          /(@include\(if: true\) ){49}/g,
          '',
        ),
      ])
        expect((await ask(api, token, transport, { query })).errors).toEqual([]);
    });

    it('a subscription that costs too much is refused before it begins', async () => {
      const query = `subscription { jobChanges { ... on JobUpdated { job { dependents { job { dependents { job { dependents { job { id status } } } } } } } } } }`;
      const { errors } = await ask(api, token, transport, { query });
      expect(errors[0]?.extensions).toMatchObject({ code: 'TOO_COSTLY', limit: 20_000 });
      expect(api.server.subscriberCount).toBe(0);
    });
  },
);

describe('a request', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(api.server.graphqlUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        connection: 'close',
        ...headers,
      },
      body,
    });
  const firstError = async (response: Response) =>
    ((await response.json()) as { errors: { extensions: unknown }[] }).errors[0]?.extensions;

  it.each([0, 1, 100])('that is a list of %i operations is refused as one', async (count) => {
    const response = await post(JSON.stringify(Array(count).fill({ query: '{ __typename }' })));
    expect(response.status).toBe(400);
    expect(await firstError(response)).toEqual({ code: 'BATCH_REFUSED', limit: 1, actual: count });
  });

  it('with too long a body gets its length and the limit', async () => {
    const body = JSON.stringify({ query: `{ __typename } # ${'x'.repeat(2 * 1024 * 1024)}` });
    const response = await post(body);
    expect(response.status).toBe(413);
    expect(await firstError(response)).toEqual({
      code: 'BODY_TOO_LARGE',
      limit: 2 * 1024 * 1024,
      actual: body.length,
    });
  });

  it('that is no JSON, or of another type, is refused with a code', async () => {
    expect(await firstError(await post('{"query": "{'))).toMatchObject({ code: 'BAD_REQUEST' });
    const asText = await post('{ __typename }', { 'content-type': 'application/graphql' });
    expect(asText.status).toBe(415);
    expect(await firstError(asText)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

describe('the settings', () => {
  it('hold, the body’s with room for the largest payload', async () => {
    const strict = await startTestApi({
      env: {
        MILLRACE_MAX_ALIASES: '0',
        MILLRACE_MAX_COMPLEXITY: '30',
        MILLRACE_MAX_DEPTH: '3',
        MILLRACE_MAX_BODY_BYTES: '1024',
        MILLRACE_MAX_PAYLOAD_BYTES: '2048',
      },
    });
    try {
      const theirs = await strict.token(await strict.makeTenant(), 'member');
      const codeOf = async (query: string) =>
        (await strict.query(theirs, query)).errors[0]?.extensions?.['code'];
      expect(await codeOf('{ a: __typename }')).toBe('TOO_MANY_ALIASES');
      expect(await codeOf('{ jobs(first: 30) { nodes { id } } }')).toBe('TOO_COSTLY');
      expect(await codeOf('{ jobs { nodes { definition { key } } } }')).toBe('TOO_DEEP');
      expect(await codeOf('{ jobs(first: 10) { nodes { id } } }')).toBeUndefined();
      expect(await codeOf(`{ __typename } # ${'x'.repeat(60_000)}`)).toBeUndefined();
      expect(await codeOf(`{ __typename } # ${'x'.repeat(70_000)}`)).toBe('BODY_TOO_LARGE');
    } finally {
      await strict.close();
    }
  });
});
