import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endBoth, WATCH, watchTwice } from '../graphql/subscriptions/watch-twice.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const TOLERANCE_SECONDS = 5;

let api: TestApi;
let keys: Server;
let privateKey: CryptoKey;
let tenantId: string;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
  keys = createServer((_request, response) => {
    response.setHeader('connection', 'close').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(keys, 'listening');
  api = await startTestApi({
    env: { MILLRACE_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks` },
  });
  tenantId = await api.makeTenant();
});
afterAll(async () => {
  await api.close();
  keys.close();
});

const SIGNERS = {
  HS256: (token: SignJWT) =>
    token.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(TEST_SECRET)),
  ES256: (token: SignJWT) => token.setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey),
} as const;
type Algorithm = keyof typeof SIGNERS;
const ALGORITHMS = Object.keys(SIGNERS) as Algorithm[];

/** Of a person; times are seconds from now by the database's clock, which the API's is here. */
function sign(algorithm: Algorithm, subject: string, aheadBy: { iat?: number; nbf?: number }) {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const times: JWTPayload = { exp: nowSeconds + 600 };
  for (const [claim, seconds] of Object.entries(aheadBy)) times[claim] = nowSeconds + seconds;
  return SIGNERS[algorithm](
    new SignJWT({ sub: subject, tenant_id: tenantId, role: 'member', ...times } as JWTPayload),
  );
}

async function messageOf(token: string): Promise<string> {
  const { errors } = await api.query(token, '{ viewer { name } }');
  return errors[0]?.message ?? 'good';
}

async function revoke(subject: string): Promise<Date> {
  const admin = await api.token(tenantId, 'tenant_admin', { subject: 'admin' });
  const { data } = await api.query(
    admin,
    'mutation ($input: RevokeTokensInput!) { revokeTokens(input: $input) { ... on RevokeTokensPayload { issuedBefore } } }',
    { input: { subject } },
  );
  return new Date(data.revokeTokens.issuedBefore);
}

describe.each(ALGORITHMS)('a token by %s of a clock that is ahead', (algorithm) => {
  it('is taken by HTTP, a socket and an event stream while it is within the tolerance', async () => {
    const token = await sign(algorithm, 'ann', { iat: 3, nbf: 3 });
    expect(await messageOf(token)).toBe('good');
    const { socket, stream } = await watchTwice(api, token);
    stream.stop();
    await socket.close();
  });

  it('is refused by all three when it says that it was issued further ahead, or begins further ahead', async () => {
    for (const [ahead, message] of [
      // A busy machine may look a while after it was signed.
      [
        { iat: 600 },
        /^Token claim iat is (600|5\d\d) s ahead of the clock here; allowed: at most 5 s ahead$/,
      ],
      [{ nbf: 600 }, /^Token claim nbf is not accepted$/],
    ] as const) {
      const token = await sign(algorithm, 'ann', ahead);
      expect(await messageOf(token)).toMatch(message);
      const socket = openSocket(api.server.graphqlUrl, { token });
      await waitFor(() => socket.closeCode() === 4403, { describe: 'the socket to be refused' });
      const stream = await fetch(`${api.server.graphqlUrl}?query=${encodeURIComponent(WATCH)}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, connection: 'close' },
      });
      expect([stream.status, (await stream.json()).errors[0].message]).toEqual([
        401,
        expect.stringMatching(message),
      ]);
    }
  });

  it('ends with the revocation of its person, on open streams too', async () => {
    const subject = `bob-${algorithm}`;
    const token = await sign(algorithm, subject, { iat: 4 });
    const both = await watchTwice(api, token);
    const askedMs = Date.now();
    const issuedUntil = await revoke(subject);
    expect(issuedUntil.getTime()).toBeGreaterThan(askedMs + 1_000 * (TOLERANCE_SECONDS - 1));
    await endBoth(api, both, 5_000);
    expect(await messageOf(token)).toBe('Token has been revoked');
  });
});
