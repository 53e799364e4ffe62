import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Resolve } from '../../src/outgoing/checked-connector.ts';
import { Outgoing, type OutgoingRequest } from '../../src/outgoing/outgoing.ts';
import { type StrangeServer, startStrangeServer } from './strange-server.ts';

const SETTINGS = {
  outgoingAllowed: [] as string[],
  outgoingPorts: ['80', '443'],
  outgoingUserAgent: 'millrace/1.0',
  outgoingMaxRedirects: 5,
};
let server: StrangeServer;
let other: StrangeServer;
const opened: Outgoing[] = [];

beforeAll(async () => {
  [server, other] = await Promise.all([startStrangeServer(), startStrangeServer()]);
});
afterAll(async () => {
  await Promise.all(opened.map((outgoing) => outgoing.close()));
  await Promise.all([server.close(), other.close()]);
});

function open(settings: Partial<typeof SETTINGS> = {}, resolve?: Resolve): Outgoing {
  const outgoing = new Outgoing({ ...SETTINGS, ...settings }, resolve);
  opened.push(outgoing);
  return outgoing;
}

/** Reaches this machine at 127.0.0.2 only, where the server answers as well. */
const local = () => open({ outgoingAllowed: ['127.0.0.2'] });
const at = (path: string) => `http://127.0.0.2:${server.port}${path}`;
const codeOf = (outgoing: Outgoing, url: string, request?: OutgoingRequest) =>
  outgoing.send(url, request).then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

describe('an address that is not public', () => {
  test.each([
    'http://127.0.0.1/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[2002:7f00:1::]/',
    'http://[2001::1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[fec0::1]/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://localhost/',
    'http://８.8.8.8:22/',
  ])('%s is refused', async (url) => {
    expect(await codeOf(open(), url)).toBe('AddressRefused');
  });

  test('is refused behind a name, even if the name has public addresses as well', async () => {
    const both: Resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await codeOf(open({}, both), 'http://example.com/')).toBe('AddressRefused');
  });

  test('is not reached by a name that changes its address after the check', async () => {
    const answers = ['127.0.0.2', '127.0.0.1'];
    let looks = 0;
    const rebinding: Resolve = async () => [{ address: answers[looks++] ?? '127.0.0.1', family: 4 }];
    const outgoing = open({ outgoingAllowed: ['127.0.0.2'] }, rebinding);
    const url = `http://rebinding.example:${server.port}/broken`;
    // The one connection that is made goes to the address that was checked.
    const before = server.asked.length;
    expect(await codeOf(outgoing, url)).toBe('ConnectionFailed');
    expect([looks, server.asked.length - before]).toEqual([1, 1]);
    expect(server.asked.at(-1)?.path).toBe('/broken');
    // The next connection is checked again.
    expect(await codeOf(outgoing, url)).toBe('AddressRefused');
    expect(server.asked.length - before).toBe(1);
  });

  test.each(['/to-private', '/to-mapped'])('is refused as the target of a redirect (%s)', async (path) => {
    expect(await codeOf(local(), at(path))).toBe('AddressRefused');
  });

  test('may be reached where its network is allowed, on any port and mapped as well', async () => {
    const outgoing = open({ outgoingAllowed: ['127.0.0.0/8'] });
    expect(await codeOf(outgoing, `http://[::ffff:127.0.0.1]:${server.port}/page`)).not.toBe(
      'AddressRefused',
    );
    expect(await codeOf(outgoing, `http://127.0.0.1:${server.port}/page`)).toBe('answered');
    expect(await codeOf(outgoing, 'http://10.0.0.1/')).toBe('AddressRefused');
  });
});

test('a port that is not listed is refused by name and by address', async () => {
  const public_: Resolve = async () => [{ address: '93.184.215.14', family: 4 }];
  expect(await codeOf(open({}, public_), 'http://example.com:6379/')).toBe('AddressRefused');
  expect(await codeOf(open({ outgoingAllowed: ['127.0.0.2'] }, public_), 'http://example.com:6379/')).toBe(
    'AddressRefused',
  );
  expect(await codeOf(open(), 'http://93.184.215.14:22/')).toBe('AddressRefused');
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'http://user:secret@example.com/',
  'example.com',
  '',
  `http://example.com/${'a'.repeat(5_000)}`,
])('%s is not taken as a URL', async (url) => {
  const error = await open()
    .send(url)
    .catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'InvalidUrl' });
  expect((error as Error).message).not.toContain('secret');
});

describe('an answer', () => {
  test('is read whole with its status, its headers and where it came from', async () => {
    const answer = await local().send(at('/to-page'));
    expect(answer).toMatchObject({ status: 200, redirects: 1, url: at('/page'), truncated: false });
    expect(Buffer.from(answer.body).toString()).toBe('<p>here</p>');
    expect(await local().send(at('/error'))).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
  });

  test.each([
    ['/huge', 'TooLarge'],
    ['/bomb', 'TooLarge'],
    ['/announced', 'TooLarge'],
    ['/slow', 'TimedOut'],
    ['/silent', 'TimedOut'],
    ['/broken', 'ConnectionFailed'],
    ['/loop', 'TooManyRedirects'],
    ['/to-file', 'InvalidUrl'],
  ])('of %s ends with %s', async (path, code) => {
    expect(
      await codeOf(local(), at(path), { maxBytes: 1_000_000, timeoutMs: code === 'TimedOut' ? 300 : 20_000 }),
    ).toBe(code);
  });

  test('is cut where the caller wants only its start', async () => {
    const answer = await local().send(at('/bomb'), { maxBytes: 1_000, truncate: true });
    expect([answer.body.length, answer.truncated]).toEqual([1_000, true]);
  });

  test('of another content type than those wanted is refused', async () => {
    expect(await codeOf(local(), at('/binary'), { contentTypes: ['text/html'] })).toBe('ContentTypeRefused');
    expect(await codeOf(local(), at('/page'), { contentTypes: ['text/*'] })).toBe('answered');
  });

  test('can be abandoned by the caller', async () => {
    const stop = new AbortController();
    const ended = codeOf(local(), at('/silent'), { signal: stop.signal });
    stop.abort();
    expect(await ended).toBe('Aborted');
  });
});

test('credentials do not follow a redirect to another origin, and cookies are not kept', async () => {
  const away = await startStrangeServer({
    '/away': (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${other.port}/page` }).end(),
  });
  const outgoing = local();
  await outgoing.send(`http://127.0.0.2:${away.port}/away`, {
    headers: { authorization: 'Bearer s', 'x-note': 'kept' },
  });
  await away.close();
  expect(away.asked[0]?.headers).toMatchObject({ authorization: 'Bearer s' });
  expect(other.asked.at(-1)?.headers).toMatchObject({ 'x-note': 'kept', 'user-agent': 'millrace/1.0' });
  expect(other.asked.at(-1)?.headers['authorization']).toBeUndefined();

  await outgoing.send(at('/cookie'));
  await outgoing.send(at('/page'));
  expect(server.asked.at(-1)?.headers['cookie']).toBeUndefined();
});

test('a proxy of the environment is not used', async () => {
  vi.stubEnv('http_proxy', `http://127.0.0.1:${other.port}`);
  try {
    const seen = other.asked.length;
    expect(await codeOf(local(), at('/page'))).toBe('answered');
    expect(other.asked.length).toBe(seen);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a POST is not repeated at the target of a redirect', async () => {
  const answer = await local().send(at('/to-page'), { method: 'POST', body: '{}' });
  expect(answer).toMatchObject({ status: 302, redirects: 0 });
});
