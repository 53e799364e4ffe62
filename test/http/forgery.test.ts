import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { PREFLIGHT_FORCING_HEADERS } from '../../src/http/cors.ts';
import { forgeryProblem } from '../../src/http/forgery.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

const LISTED = 'https://app.example';
const FOREIGN = 'https://evil.example';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_CORS_ORIGINS: LISTED } });
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

async function send(method: 'GET' | 'POST', headers: Record<string, string>, query = '{ __typename }') {
  const search = method === 'GET' ? `?query=${encodeURIComponent(query)}` : '';
  const response = await fetch(`${api.server.graphqlUrl}${search}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'close',
      accept: 'application/json',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'POST' && { body: JSON.stringify({ query }) }),
  });
  const text = await response.text();
  const code = JSON.parse(text).errors?.[0]?.extensions?.code;
  return { status: response.status, code, headers: response.headers };
}

describe('a request of a page', () => {
  it.each(['GET', 'POST'] as const)('of a foreign origin is refused by %s, token or not', async (method) => {
    const answer = await send(method, { origin: FOREIGN });
    expect(answer).toMatchObject({ status: 403, code: 'CROSS_SITE_REFUSED' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['GET', 'POST'] as const)('on the list, or of the same host, is answered by %s', async (method) => {
    for (const origin of [LISTED, api.url]) {
      const answer = await send(method, { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('that hides where it comes from is refused: an image, a form, a link', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect(await send('GET', { 'sec-fetch-site': site })).toMatchObject({ code: 'CROSS_SITE_REFUSED' });
    for (const site of ['same-origin', 'none'])
      expect((await send('GET', { 'sec-fetch-site': site })).status).toBe(200);
  });

  it('over a socket is judged alike', async () => {
    const statusFor = async (origin: string) => {
      const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws', {
        origin,
      });
      let status = 0;
      socket.on('unexpected-response', (_request, response) => {
        status = response.statusCode ?? -1;
        response.resume();
      });
      socket.on('open', () => {
        status = 101;
      });
      socket.on('error', () => undefined);
      await waitFor(() => status !== 0, { describe: 'an answer to the upgrade' });
      socket.terminate();
      return status;
    };
    expect([await statusFor(FOREIGN), await statusFor(LISTED)]).toEqual([403, 101]);
  });
});

describe('a mutation', () => {
  it('is not taken by GET', async () => {
    const answer = await send(
      'GET',
      {},
      'mutation { enqueueJob(input: { definition: "echo" }) { __typename } }',
    );
    expect(answer).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(answer.headers.get('allow')).toBe('POST');
    const { rows } = await api.superuser.query('select count(*)::int as count from millrace.jobs');
    expect(rows[0].count).toBe(0);
  });
});

describe('a request without a word of a browser', () => {
  const rules = { corsOrigins: [], publicUrl: 'https://jobs.example/base', requirePreflight: false };

  it('is taken when it holds something that a page cannot send without a preflight', () => {
    expect(forgeryProblem({}, rules)).toContain('graphql-require-preflight');
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded; charset=utf-8',
      'Multipart/Form-Data',
    ])
      expect(forgeryProblem({ 'content-type': type }, rules)).not.toBeNull();
    expect(forgeryProblem({ 'content-type': 'application/json; charset=utf-8' }, rules)).toBeNull();
    expect(forgeryProblem({ authorization: 'Bearer x' }, rules)).toBeNull();
    for (const name of PREFLIGHT_FORCING_HEADERS) expect(forgeryProblem({ [name]: '1' }, rules)).toBeNull();
  });

  it('proves nothing by a token that a proxy has put there', () => {
    const behindProxy = { ...rules, requirePreflight: true };
    expect(forgeryProblem({ authorization: 'Bearer x' }, behindProxy)).not.toBeNull();
    expect(
      forgeryProblem({ authorization: 'Bearer x', 'graphql-require-preflight': '1' }, behindProxy),
    ).toBeNull();
  });

  it('of the installation’s own pages is known behind a proxy that changes the host', () => {
    const behind = { host: '10.0.0.1:4000', 'content-type': 'application/json' };
    expect(forgeryProblem({ ...behind, origin: 'https://jobs.example' }, rules)).toBeNull();
    expect(forgeryProblem({ ...behind, origin: 'https://other.example' }, rules)).not.toBeNull();
    expect(
      forgeryProblem(
        { ...behind, origin: 'https://unknown.example', 'sec-fetch-site': 'same-origin' },
        rules,
      ),
    ).toBeNull();
  });
});

describe('a preflight', () => {
  it('names the headers that clients of GraphQL send', async () => {
    const response = await fetch(api.server.graphqlUrl, {
      method: 'OPTIONS',
      headers: { origin: LISTED, 'access-control-request-method': 'POST', connection: 'close' },
    });
    const allowed = response.headers.get('access-control-allow-headers');
    for (const name of ['authorization', 'content-type', ...PREFLIGHT_FORCING_HEADERS])
      expect(allowed).toContain(name);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('every route', () => {
  /**
   * What any page may ask for: it changes nothing and says the same to everybody; or its URL is the
   * permission.
   */
  const FOR_ANY_PAGE = [
    /^(GET|HEAD) \/$/,
    /^(GET|HEAD) \/health\//,
    /^OPTIONS /,
    / \/(files|uploads)\//,
    // 405 for every caller.
    /^(GET|HEAD|PUT|PATCH|DELETE) \/(clips|api\/jobs\/tick)$/,
    /^(GET|HEAD) \/api\/v1\/(openapi\.json|docs)/,
    /^(GET|HEAD) \/console(\/\*|\/assets\/.*)?$/,
  ];
  const isForAnyPage = (route: string) => FOR_ANY_PAGE.some((pattern) => pattern.test(route));

  async function answerOf(at: TestApi, route: string, headers: Record<string, string>) {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(
      at.url + path.replaceAll(/:\w+/g, 'x').replace(/^\*|\*$/, path === '*' ? '/anything' : 'anything'),
      {
        method,
        redirect: 'manual',
        headers: { connection: 'close', accept: 'application/json', ...headers },
      },
    );
    return `${response.status} ${await response.text()}`;
  }

  // From the route table: a new route is in it until somebody says that any page may ask for it.
  it('that takes a token refuses pages of another site, with a good token too', async () => {
    const admin = await api.token(SYSTEM_TENANT_ID, 'super_admin');
    const refusing = api.server.routes.filter((route) => !isForAnyPage(route));
    expect(refusing).toEqual(
      expect.arrayContaining(['POST /graphql', 'POST /clips', 'POST /api/jobs/tick', 'GET /metrics']),
    );
    const foreign = [
      { origin: FOREIGN },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const route of refusing)
      for (const headers of foreign) {
        const answer = await answerOf(api, route, { authorization: `Bearer ${admin}`, ...headers });
        if (route.startsWith('HEAD ')) expect(answer, route).toMatch(/^403 /);
        else expect(answer, route).toMatch(/^403 .*(CrossSiteRefused|CROSS_SITE_REFUSED)/);
      }
    for (const route of api.server.routes.filter(isForAnyPage))
      expect(await answerOf(api, route, { origin: FOREIGN }), route).not.toMatch(/CrossSiteRefused/i);
  });

  it('behind a proxy that adds the token refuses what any page could send', async () => {
    const proxied = await startTestApi({ env: { MILLRACE_REQUIRE_PREFLIGHT: 'true' } });
    try {
      const admin = await proxied.token(SYSTEM_TENANT_ID, 'super_admin');
      // The one role that those routes are for: any other is refused there by 403, too.
      const worker = await proxied.token(await proxied.makeTenant(), 'worker');
      for (const route of proxied.server.routes.filter((each) => !isForAnyPage(each))) {
        const authorization = `Bearer ${route.includes(' /api/v1/worker/') ? worker : admin}`;
        expect(await answerOf(proxied, route, { authorization }), route).toMatch(/^403 /);
        const preflighted = { authorization, 'graphql-require-preflight': '1' };
        expect(await answerOf(proxied, route, preflighted), route).not.toMatch(/^403 /);
      }
    } finally {
      await proxied.close();
    }
  });
});
