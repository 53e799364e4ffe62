import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { threadCpuMs } from '../support/thread-cpu.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

let api: TestApi;
let token: string;
const logged: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  api = await startTestApi({
    log: pino({ level: 'info' }, sink),
    env: { MILLRACE_CORS_ORIGINS: 'https://app.example' },
  });
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

const TOO_LARGE: readonly (readonly [string, string])[] = [
  ['too many aliases', `{ ${repeat(60, (i) => `a${i}: __typename`)} }`],
  ['too many tokens', `{ ${repeat(2000, () => '__typename')} }`],
  ['too deep', `{ video(id: "x") ${'{ jobs { video '.repeat(8)} { id } ${'} }'.repeat(8)} }`],
  [
    'fragments that double at each level',
    `{ ...A0 } ${repeat(20, (i) => `fragment A${i} on Query { ...A${i + 1} ...A${i + 1} }`)} fragment A20 on Query { __typename }`,
  ],
  ['lists nested in lists', `query ($x: [Int] = ${'['.repeat(3000)}${']'.repeat(3000)}) { __typename }`],
  [
    'too costly pages',
    '{ jobs(first: 100) { nodes { video { jobs { attempts { status worker wallMs cpuMs } definition { key } } } } } }',
  ],
];

describe('an operation that is', () => {
  it.each(TOO_LARGE)('%s is refused over HTTP and over the socket', async (_what, document) => {
    const startedMs = threadCpuMs();
    const answer = await api.query(token, document);
    expect(threadCpuMs() - startedMs).toBeLessThan(1_000);
    expect(answer.status).toBeLessThan(500);
    expect(answer.data).toBeNull();
    expect(answer.errors[0]?.message).toBeTruthy();
    const socket = openSocket(api.server.graphqlUrl, { token });
    const sent = socket.subscribe(document);
    await waitFor(() => sent.ended(), { describe: 'an answer' });
    expect(sent.received.every(({ data }) => data == null)).toBe(true);
    expect(socket.closeCode()).toBeNull();
    await socket.close();
    expect(logged.join('')).not.toContain('unexpected error');
  });

  it('introspecting, as the playground does, is not', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const answer = await api.query(token, getIntrospectionQuery({ inputValueDeprecation: true }));
    expect(answer.errors).toEqual([]);
  });

  it('larger than 2 MiB is refused before it is read, and closes a socket with 1009', async () => {
    const large = `{ __typename } # ${'x'.repeat(2 * 1024 * 1024)}`;
    expect((await api.query(token, large)).status).toBe(413);
    const socket = openSocket(api.server.graphqlUrl, { token });
    socket.subscribe(large);
    await waitFor(() => socket.closeCode(), { describe: 'the socket to close' });
    expect(socket.closeCode()).toBe(1009);
    await socket.close();
  });
});

describe('an unexpected error', () => {
  it('shows a reference and nothing else; the log has the rest under it', async () => {
    await api.superuser.query('alter table millrace.videos rename to videos_away');
    try {
      const answer = await api.query(token, '{ videos { nodes { id } } }');
      const { message, extensions } = answer.errors[0] as (typeof answer.errors)[0];
      expect(extensions).toEqual({ code: 'INTERNAL', reference: expect.stringMatching(/^[0-9a-f]{12}$/) });
      expect(message).toBe(`Something went wrong here. Reference: ${extensions?.['reference']}`);
      const line = logged.find((entry) => entry.includes(String(extensions?.['reference'])));
      expect(line).toContain('videos');
      expect(line).not.toContain(token);
    } finally {
      await api.superuser.query('alter table millrace.videos_away rename to videos');
    }
  });
});

describe('without identity', () => {
  it('nothing answers but health and the playground’s page', async () => {
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${api.url}${path}`, { headers: { connection: 'close', ...headers } });
      await response.arrayBuffer();
      return response;
    };
    const anonymous = await api.query(null, '{ __typename }');
    expect(anonymous.status).toBe(401);
    expect(anonymous.errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await get('/graphql?query=%7B__typename%7D')).status).toBe(401);
    expect((await get('/files/x/videos/original/y')).status).toBe(403);
    expect((await get('/health/live')).status).toBe(200);
    // With a document it is the same page, and nothing is run.
    expect((await playground('?query=%7B__typename%7D')).text).toBe((await playground()).text);
    const page = await playground();
    expect(page.policy).toContain("default-src 'none'");
    expect(page.text).toContain('jobChanges');
  });
});

/** The page, as a browser without gzip gets it: 9 MB. */
async function playground(search = ''): Promise<{ policy: unknown; text: string }> {
  const request = httpRequest(api.server.graphqlUrl + search, {
    headers: { accept: 'text/html' },
    agent: false,
  }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return { policy: response.headers['content-security-policy'], text: await text(response) };
}

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    fetch(api.server.graphqlUrl, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', connection: 'close' },
    });

  it('may call when they are on the list, and get no such header otherwise', async () => {
    const listed = await preflight('https://app.example');
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(listed.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('cannot send what needs no preflight', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await fetch(api.server.graphqlUrl, {
        method: 'POST',
        headers: { 'content-type': type, authorization: `Bearer ${token}`, connection: 'close' },
        body: '{"query":"{ __typename }"}',
      });
      expect(response.status).toBe(415);
    }
  });
});
