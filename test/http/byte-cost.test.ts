import { afterAll, beforeAll, expect, test } from 'vitest';
import { byteCostOf } from '../../src/access/byte-cost.ts';
import { ClientAddresses } from '../../src/http/client-address.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

/** What may be asked at once; a body of 200,000 bytes costs 1,920. */
const BURST = 3_600;
const PER_SECOND = 100;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    env: {
      MILLRACE_CALLER_COST_PER_SECOND: String(PER_SECOND),
      MILLRACE_TENANT_COST_PER_SECOND: '1000000',
      MILLRACE_RATE_BURST_SECONDS: '36',
      MILLRACE_ADDRESS_CONNECTS_PER_SECOND: '0',
    },
  });
});
afterAll(() => api.close());

test('bytes cost by the KiB, and those of a usual request nothing', () => {
  expect([0, 4096, 4097, 1024 * 1024].map(byteCostOf)).toEqual([0, 0, 10, 10_200]);
  expect(byteCostOf(200_000)).toBeLessThan(BURST);
  expect(2 * byteCostOf(200_000)).toBeGreaterThan(BURST);
});

test('large bodies use up what a caller may ask, before they are read, and small ones go on when there is enough', async () => {
  const token = await api.token(await api.makeTenant(), 'member');
  const variables = { unused: 'x'.repeat(200_000) };
  const answers = [];
  for (let i = 0; i < 4; i++)
    answers.push(
      await api.query(
        token,
        'query ($unused: String) { viewer { role } node(id: $unused) { id } }',
        variables,
      ),
    );
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.errors[0]?.extensions).toMatchObject({
    code: 'RATE_LIMITED',
    scope: 'caller',
    counted: 'cost',
  });
  const other = await api.token(await api.makeTenant(), 'member');
  expect((await api.query(other, '{ viewer { role } }')).errors).toEqual([]);
});

test('a socket whose messages are too large for its caller is not read until there is enough again; others are', async () => {
  const tenantId = await api.makeTenant();
  const socket = openSocket(api.server.graphqlUrl, { token: await api.token(tenantId, 'member') });
  const sentMs = performance.now();
  const large = Array.from({ length: 4 }, () =>
    socket.subscribe('query ($unused: ID!) { node(id: $unused) { id } }', { unused: 'x'.repeat(110_000) }),
  );
  const other = openSocket(api.server.graphqlUrl, {
    token: await api.token(tenantId, 'member', { subject: 'bob' }),
  });
  const { received } = other.subscribe('{ viewer { role } }');
  await waitFor(() => received.length > 0, { describe: 'the other’s answer' });
  const answered = () => large.filter((each) => each.received.length > 0 || each.ended() !== null).length;
  await waitFor(() => answered() >= 1, { describe: 'the first large message to be read' });
  await waitFor(() => answered() === 4, { describe: 'the others, when there is enough again' });
  // What they cost together is more than there was at first.
  expect(performance.now() - sentMs).toBeGreaterThan(
    1000 * ((4 * byteCostOf(110_000) - BURST) / PER_SECOND - 1),
  );
  await Promise.all([socket.close(), other.close()]);
});

const of = (proxies: readonly string[], remoteAddress: string, forwarded?: string) =>
  new ClientAddresses(proxies).of({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as never,
  });

test.each([
  ['nobody is trusted: the peer', [], '10.0.0.1', '203.0.113.7', '10.0.0.1'],
  ['a trusted proxy: whom it names', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  [
    'proxies in a row: the last that is not one',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '6.6.6.6, 203.0.113.7, 10.2.0.1',
    '203.0.113.7',
  ],
  ['a client that names another: the client', ['10.0.0.0/8'], '203.0.113.7', '6.6.6.6', '203.0.113.7'],
  ['nonsense in the header: the proxy', ['10.0.0.0/8'], '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an IPv4 address as IPv6 has it: itself', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['IPv6: its network', ['::1'], '::1', '2001:DB8::1', '2001:db8:0:0::/64'],
] as const)('where requests come from: %s', (_what, proxies, peer, forwarded, expected) => {
  expect(of(proxies, peer, forwarded)).toBe(expected);
});
