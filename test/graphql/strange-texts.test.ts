import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_ADDRESS_FAILURES_PER_SECOND: '1', MILLRACE_RATE_BURST_SECONDS: '20' },
  });
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

describe('a title', () => {
  it.each(['a\0b', 'a\ud800b'])(
    'that the database cannot store as it is, %j, is refused by name',
    async (title) => {
      const { data } = await api.query(
        token,
        'mutation ($title: String!) { createVideo(input: { title: $title }) { __typename ... on DomainFailure { field } } }',
        { title },
      );
      expect(data.createVideo).toEqual({ __typename: 'InvalidArgumentError', field: 'input.title' });
    },
  );
});

describe('a number that would change on the way', () => {
  const document =
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x", n: N } }) { __typename } }';

  it.each(['9007199254740993', '1e400'])('is refused as a literal and as a variable: %s', async (number) => {
    const literal = await api.query(token, document.replace('N', number));
    expect(literal.errors[0]?.message).toContain(number);
    const response = await fetch(api.server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${token}` },
      body: `{"query":"mutation ($p: JSON) { enqueueJob(input: { definition: \\"echo\\", payload: $p }) { __typename } }","variables":{"p":{"message":"x","n":[1,${number}]}}}`,
    });
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_ARGUMENT', field: 'variables.p.n[1]' } }],
    });
  });
});

describe('a key that is written with a backslash', () => {
  const ENQUEUE =
    'mutation ($p: JSON, $m: JSON) { enqueueJob(input: { definition: "echo", payload: $p, metadata: $m }) { __typename } }';
  // As texts: JSON.parse would read the keys for the test, too.
  const answerTo = async (query: string, variables = '{}') => {
    const response = await fetch(api.server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${token}` },
      body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
    });
    return await response.text();
  };
  beforeAll(() =>
    api.superuser.query(`update millrace.job_definitions set arg_schema = '{}' where key = 'echo'`),
  );

  it.each([
    ['\\n', '\\\\', 'strange'],
    ['a\\"b', 'a\\\\\\"', 'other'],
  ])(
    'is the same in the payload and the metadata of a job, whatever was read before: %s',
    async (key, before, first) => {
      for (const one of [before, key]) {
        const members = `{"${first}":1,"${one}":2}`;
        expect(await answerTo(ENQUEUE, `{"p":${members},"m":${members}}`)).toContain('EnqueueJobPayload');
      }
      const answer = await answerTo('{ jobs(first: 1) { nodes { payload metadata } } }');
      expect(answer.split(`"${key}":2`)).toHaveLength(3);
    },
  );

  it('is the same in columns that Prisma reads', async () => {
    let answer = '';
    for (const schema of ['{"!":1,"\\\\":2}', '{"!":1,"\\"":2}']) {
      await api.superuser.query(`update millrace.job_definitions set arg_schema = $1 where key = 'echo'`, [
        schema,
      ]);
      answer = await answerTo('{ jobDefinitions(first: 50) { nodes { payloadSchema } } }');
    }
    expect(answer).toContain('{"!":1,"\\"":2}');
  });
});

describe('an address whose keys are refused too often', () => {
  it('is refused unseen, while who was recognised before is taken all the same', async () => {
    expect((await api.query(token, '{ __typename }')).status).toBe(200);
    const statuses: number[] = [];
    for (let tries = 0; tries < 40; tries++)
      statuses.push((await api.query(`mr_${String(tries).padStart(43, 'x')}`, '{ __typename }')).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await api.query(token, '{ __typename }')).status).toBe(200);
  });
});
