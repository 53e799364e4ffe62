import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { ask, TRANSPORTS } from '../support/ask.ts';

const ENUM = '{ jobs(filter: { statuses: [QUEUEED] }) { nodes { id } } }';
const BY_VARIABLE = 'query ($s: [JobStatus!]) { jobs(filter: { statuses: $s }) { nodes { id } } }';

/** Mistakes for which graphql-js guesses at a name of the schema. */
const GUESSES: readonly (readonly [string, object])[] = [
  ['a field', { query: '{ viewr { name } }' }],
  ['a field of an object', { query: '{ viewer { nam } }' }],
  ['an argument', { query: '{ job(ident: "x") { id } }' }],
  ['a type', { query: '{ node(id: "x") { ... on Jobb { id } } }' }],
  ['a selection', { query: '{ viewer }' }],
  ['a directive', { query: '{ viewer @skipp(if: true) { name } }' }],
  ['a word of an enum', { query: ENUM }],
  ['a word of an enum in a variable', { query: BY_VARIABLE, variables: { s: ['QUEUEED'] } }],
  [
    'a field of an input',
    {
      query: 'query ($f: JobFilter) { jobs(filter: $f) { nodes { id } } }',
      variables: { f: { statusses: [] } },
    },
  ],
];

async function startWith(env: Record<string, string>): Promise<readonly [TestApi, string, string]> {
  const api = await startTestApi({ env });
  const tenantId = await api.makeTenant();
  return [api, await api.token(tenantId, 'member'), await api.token(tenantId, 'tenant_admin')];
}

describe('in production', () => {
  let api: TestApi;
  let member: string;
  let admin: string;

  beforeAll(async () => {
    [api, member, admin] = await startWith({ NODE_ENV: 'production' });
  });
  afterAll(() => api.close());

  it.each(TRANSPORTS)('nobody reads the schema over %s', async (transport) => {
    for (const token of [member, admin]) {
      for (const query of [
        getIntrospectionQuery(),
        '{ __type(name: "Job") { name } }',
        'query A { viewer { name } } query B { ...S } fragment S on Query { __schema { description } }',
      ]) {
        const asked = query.startsWith('query A') ? { query, operationName: 'A' } : { query };
        const { data, errors } = await ask(api, token, transport, asked);
        expect(data).toBeNull();
        expect(errors[0]?.extensions).toMatchObject({ code: 'INTROSPECTION_REFUSED' });
      }
      const { data } = await ask(api, token, transport, { query: '{ __typename }' });
      expect(data).toEqual({ __typename: 'Query' });
    }
  });

  it.each(TRANSPORTS)('no error guesses what was meant, over %s', async (transport) => {
    for (const [what, asked] of GUESSES) {
      const { errors } = await ask(api, member, transport, asked);
      expect(errors.length, what).toBeGreaterThan(0);
      expect(JSON.stringify(errors), what).not.toMatch(/did you mean/i);
      expect(errors[0]?.extensions?.['code'], what).toBeTruthy();
    }
  });

  it('there is no playground', async () => {
    const page = await fetch(api.server.graphqlUrl, {
      headers: { accept: 'text/html', connection: 'close' },
    });
    expect(page.status).toBe(401);
    const root = (await (await fetch(`${api.url}/`, { headers: { connection: 'close' } })).json()) as object;
    expect(root).toMatchObject({ name: 'millrace' });
  });
});

describe('the policy', () => {
  const may = async (api: TestApi, token: string) =>
    (await api.query(token, '{ __schema { queryType { name } } }')).errors.length === 0;

  it.each([
    ['by default, where the playground is', {}, true, true],
    ['without a playground', { MILLRACE_PLAYGROUND: 'false' }, false, false],
    ['a playground in production', { NODE_ENV: 'production', MILLRACE_PLAYGROUND: 'true' }, true, true],
    ['always', { NODE_ENV: 'production', MILLRACE_INTROSPECTION: 'always' }, true, true],
    ['admins', { MILLRACE_INTROSPECTION: 'admins' }, false, true],
    ['never', { MILLRACE_INTROSPECTION: 'never' }, false, false],
  ])('%s: members and admins may as it says', async (_what, env, asMember, asAdmin) => {
    const [api, member, admin] = await startWith(env);
    try {
      expect([await may(api, member), await may(api, admin)]).toEqual([asMember, asAdmin]);
      const { errors } = await api.query(member, '{ viewr { name } }');
      expect(/did you mean/i.test(errors[0]?.message ?? '')).toBe(asMember);
    } finally {
      await api.close();
    }
  });

  it('has the defaults that the documentation gives', () => {
    expect(loadConfig({})).toMatchObject({ playground: true, introspection: 'playground' });
    expect(loadConfig({ NODE_ENV: 'production' })).toMatchObject({ playground: false });
  });
});
