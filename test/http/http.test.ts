import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { watchLateness } from '../support/lateness.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

let api: TestApi;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi({
    times: { headersMs: 1_000, bodyMs: 1_500, uploadIdleMs: 1_000, lingerMs: 200, ssePingMs: 10_000 },
  });
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
});
afterAll(() => api.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const request = httpRequest(api.url + path, { headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('the playground’s page', () => {
  it('comes packed to who takes that, and plain to others, with headers that keep it to itself', async () => {
    const packed = await get('/graphql', { accept: 'text/html', 'accept-encoding': 'br, gzip;q=0.5' });
    const plain = await get('/graphql', { accept: 'text/html' });
    const refusing = await get('/graphql', { accept: 'text/html', 'accept-encoding': 'gzip;q=0, br' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    for (const { headers } of [plain, refusing]) expect(headers['content-encoding']).toBeUndefined();
    for (const { headers } of [packed, plain])
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        vary: expect.stringContaining('Accept-Encoding'),
      });
  });

  it('does not hold the process up, however many without a token ask for it plain', async () => {
    await get('/graphql', { accept: 'text/html' });
    let cpuMsEach = Number.POSITIVE_INFINITY;
    // The best of a few: caches that others of the machine empty cost time too.
    for (let round = 0; round < 5; round++) {
      const cpu = process.cpuUsage();
      await Promise.all(
        Array.from({ length: 12 }, async () => {
          const request = httpRequest(api.server.graphqlUrl, {
            headers: { accept: 'text/html' },
            agent: false,
          });
          const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
          response.destroy();
        }),
      );
      cpuMsEach = Math.min(cpuMsEach, process.cpuUsage(cpu).user / 1000 / 12);
    }
    // Unpacking it for each takes 34 ms [measured]; sending what is there, a few.
    expect(cpuMsEach).toBeLessThan(20);
  });
});

describe('the root', () => {
  it('leads to the playground, and without one says what is there', async () => {
    expect(await get('/')).toMatchObject({ status: 302, headers: { location: '/graphql' } });
    const bare = await startTestApi({ env: { MILLRACE_PLAYGROUND: 'false' } });
    try {
      const answer = await fetch(`${bare.url}/`, { headers: { connection: 'close' } });
      expect(await answer.json()).toMatchObject({ name: 'millrace', graphql: '/graphql' });
    } finally {
      await bare.close();
    }
  });
});

/** Begins a POST whose body never ends. */
function openPost(path: string, headers: Record<string, string> = {}) {
  const request = httpRequest(api.url + path, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': '1000', ...headers },
  });
  let isClosed = false;
  request.on('error', () => {}).on('close', () => (isClosed = true));
  request.write('{');
  const answer = async () => {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response).catch(() => '') };
  };
  return { answer, isClosed: () => isClosed };
}

describe('a body that does not come', () => {
  it('is not waited for from who is nobody: the answer is there at once, and then the end', async () => {
    const lateness = await watchLateness(api.databaseUrl);
    const slow = openPost('/graphql');
    const startedMs = performance.now();
    expect(await slow.answer()).toMatchObject({
      status: 401,
      body: expect.stringContaining('UNAUTHENTICATED'),
    });
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeLessThan(1_000 + (await lateness.allowanceMs()));
    await waitFor(slow.isClosed, { describe: 'the connection to be closed' });
  });

  it.each(['/graphql', '/nothing/here'])('is waited for so long and no longer (%s)', async (path) => {
    const slow = openPost(path, { authorization: `Bearer ${token}` });
    expect(await slow.answer()).toMatchObject({ status: 408 });
    await waitFor(slow.isClosed, { describe: 'the connection to be closed' });
  });

  it('of an upload ends it, and leaves nothing', async () => {
    const { data } = await api.query(
      await api.token(tenantId, 'tenant_admin'),
      `mutation { createVideo(input: { title: "x" }) { ... on CreateVideoPayload { upload { url } } } }`,
    );
    const request = httpRequest(data.createVideo.upload.url, { method: 'PUT', agent: false });
    let isClosed = false;
    request.on('error', () => {}).on('close', () => (isClosed = true));
    request.write('some bytes');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(408);
    expect(JSON.parse(await text(response)).error.code).toBe('RequestTimeout');
    await waitFor(() => isClosed, { describe: 'the connection to be closed' });
    expect(await readdir(join(api.storageDir, '.incoming'))).toEqual([]);
  });

  it('of a GET, whose body nobody reads, harms nothing', async () => {
    const request = httpRequest(`${api.url}/health/live`, {
      agent: false,
      headers: { 'content-length': '9' },
    });
    let isClosed = false;
    request.on('error', () => {}).on('close', () => (isClosed = true));
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await waitFor(() => isClosed, { describe: 'the connection to be closed' });
    expect((await get('/health/live')).status).toBe(200);
  });

  it('nor do headers have more than their time', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}).write('POST /graphql HTTP/1.1\r\nhost: x\r\n');
    socket.resume();
    await once(socket, 'close');
  });
});

describe('a body with a key named __proto__', () => {
  const ENQUEUE = `mutation ($payload: JSON!) { enqueueJob(input: { definition: "echo", payload: $payload }) { __typename
    ... on DomainFailure { code field message } } }`;
  const BODY = (payload: string) => `{"query":${JSON.stringify(ENQUEUE)},"variables":{"payload":${payload}}}`;

  it('is JSON: the payload’s check answers, as it does over the socket', async () => {
    for (const payload of [
      '{"message":"x","__proto__":{"a":1}}',
      '{"message":"x","constructor":{"prototype":{"a":1}}}',
    ]) {
      const response = await fetch(api.server.graphqlUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          connection: 'close',
        },
        body: BODY(payload),
      });
      expect(response.status).toBe(200);
      const answer = (await response.json()) as { data: { enqueueJob: { code: string; message: string } } };
      expect(answer.data.enqueueJob).toMatchObject({ code: 'INVALID_PAYLOAD' });
      const socket = openSocket(api.server.graphqlUrl, { token });
      const sent = socket.subscribe(ENQUEUE, { payload: JSON.parse(payload) });
      await waitFor(() => sent.received[0], { describe: 'the answer over the socket' });
      expect(sent.received[0]?.data).toEqual(answer.data);
      await socket.close();
    }
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});
