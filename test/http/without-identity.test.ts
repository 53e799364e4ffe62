import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { rootFields } from '../support/selection.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CORS_ORIGINS: 'https://app.example' },
    runTick: async () => {
      throw new Error('A tick was run for nobody');
    },
  });
});
afterAll(() => api.close());

/**
 * What nobody in particular may have. A signed URL is a permission of its own; without a good one there is
 * nothing.
 */
const OPEN: Readonly<Record<string, number>> = {
  'GET /': 302,
  'HEAD /': 302,
  'GET /health/live': 200,
  'HEAD /health/live': 200,
  'GET /health/ready': 200,
  'HEAD /health/ready': 200,
  // Preflights: browsers send them without a token, and they contain nothing but headers.
  'OPTIONS *': 204,
  'OPTIONS /files/*': 204,
  'OPTIONS /uploads/*': 204,
};

/** The document of the REST API and its page, which say nothing of the installation. */
const isOpenDocument = (route: string): boolean => /^(GET|HEAD) \/api\/v1\/(openapi\.json|docs)/.test(route);

/**
 * The console's page, which asks for a token itself, and its assets: the same bytes for everybody. There is
 * none where it was not built.
 */
const isConsole = (route: string): boolean => /^(GET|HEAD) \/console(\/\*|\/assets\/.*)?$/.test(route);

const send = async (route: string, headers: Record<string, string> = {}) => {
  const [method, pattern] = route.split(' ') as [string, string];
  const path = pattern
    .replaceAll(/:\w+/g, 'x')
    .replace('*', pattern === '*' ? '/anything' : 'videos/original/y');
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const response = await fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: { connection: 'close', ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: '{}' }),
  });
  return { status: response.status, text: await response.text() };
};

describe('without identity', () => {
  // From the route table: a new route is refused here until somebody says that it is open.
  it('every route but health, the ways to the playground and the console, and preflights refuses', async () => {
    expect(api.server.routes.length).toBeGreaterThan(8);
    for (const route of api.server.routes) {
      const { status, text } = await send(route);
      if (isOpenDocument(route)) continue;
      if (route in OPEN) expect(status, route).toBe(OPEN[route]);
      else if (isConsole(route)) expect([200, 404], route).toContain(status);
      else expect([401, 403, 404, 405], `${route}: ${status} ${text.slice(0, 200)}`).toContain(status);
      expect(text, route).not.toContain('"data"');
    }
  });

  it('nor does a token that is wrong, of nobody, or in another place open one', async () => {
    for (const route of api.server.routes.filter(
      (each) => !(each in OPEN) && !isOpenDocument(each) && !isConsole(each),
    ))
      for (const headers of [
        { authorization: 'Bearer wrong' },
        { authorization: `Bearer mr_${'x'.repeat(43)}` },
        { authorization: 'Basic YTpi' },
        { cookie: 'token=x' },
        { 'x-millrace-tenant': '01900000-0000-7000-8000-000000000000' },
      ])
        expect([401, 403, 404, 405], route).toContain((await send(route, headers as never)).status);
  });

  it('the playground’s page is given, which knows nothing of the installation', async () => {
    // With a document it is the same page, which shows it: nothing is run.
    const pages: Buffer[] = [];
    for (const search of ['', '?query=%7B__typename%7D']) {
      const request = httpRequest(api.server.graphqlUrl + search, {
        headers: { accept: 'text/html', 'accept-encoding': 'gzip' },
        agent: false,
      });
      const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers.vary).toBe('Origin, Accept, Accept-Encoding, Authorization');
      pages.push(gunzipSync(await buffer(response)));
    }
    const [page, withDocument] = pages;
    expect(page?.includes(api.databaseUrl)).toBe(false);
    expect(withDocument?.equals(page as Buffer)).toBe(true);
    for (const name of ['?documentId=x', '?extensions={}'])
      expect((await send(`GET /graphql${name}`, { accept: 'text/html' })).status).toBe(401);
    const asProgram = { accept: 'text/html, application/json', authorization: 'Bearer wrong' };
    expect((await send('GET /graphql?query=%7B__typename%7D', asProgram)).status).toBe(401);
    expect((await send('GET /graphql?query=%7B__typename%7D', { accept: 'application/json' })).status).toBe(
      401,
    );
  });

  it('no root field of the schema is answered', async () => {
    for (const [coordinate] of rootFields(schema)) {
      const [root, name] = coordinate.split('.') as [string, string];
      const answer = await api.query(null, `${root.toLowerCase()} { ${name} }`);
      expect(answer, coordinate).toMatchObject({ status: 401, data: null });
      expect(answer.errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  it('no socket is acknowledged', async () => {
    for (const parameters of [{}, { token: '' }, { token: 'wrong' }]) {
      const socket = openSocket(api.server.graphqlUrl, parameters);
      const stream = socket.subscribe('{ __typename }');
      await waitFor(() => socket.closeCode(), { describe: 'the socket to close' });
      expect(socket.closeCode()).toBe(4403);
      expect(stream.received).toEqual([]);
      await socket.close();
    }
  });
});
