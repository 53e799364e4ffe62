import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { readStandings } from '../../src/db/sql/identity/read-standings.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { Authenticator } from '../../src/identity/authenticator.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

let queue: TestQueue;
let tenantId: string;
let authenticator: Authenticator;

beforeAll(async () => {
  queue = await openTestQueue();
  tenantId = await queue.makeTenant();
  authenticator = make();
});
afterAll(() => queue.close());

function make(env: Record<string, string> = {}): Authenticator {
  return new Authenticator(queue.db, loadConfig({ MILLRACE_JWT_SECRET: SECRET, ...env }));
}

function sign(claims: JWTPayload, secret = SECRET): Promise<string> {
  return new SignJWT({ sub: 'alice', tenant_id: tenantId, role: 'member', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt((claims.iat as number | undefined) ?? undefined)
    .sign(new TextEncoder().encode(secret));
}

const recognise = async (token: string | null, by = authenticator, actOn: string | null = null) =>
  (await by.authenticate({ token, tenantId: actOn })).actor;

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a JWT', () => {
  it('gives tenant, role, name and end', async () => {
    const exp = inSeconds(60);
    expect(await recognise(await sign({ exp, jti: 'token-1' }))).toEqual({
      tenantId,
      role: 'member',
      name: 'user:alice',
      expiresAt: new Date(exp * 1000),
      credentialId: 'token-1',
      scopes: null,
    });
  });

  it('may narrow itself to registered operations', async () => {
    for (const persisted_only of [undefined, false, true]) {
      const token = await sign({ persisted_only, jti: String(persisted_only) });
      const { persistedOnly } = await authenticator.authenticate({ token, tenantId: null });
      expect(persistedOnly).toBe(persisted_only === true);
    }
  });

  it.each([
    ['no token', null, 'missing'],
    ['nonsense', 'nonsense', 'invalid'],
    ['a key that does not exist', newApiKey(), 'invalid'],
    ['an endless text', 'x'.repeat(10_000), 'invalid'],
  ])('is needed: %s is refused', async (_what, token, reason) => {
    await expect(recognise(token)).rejects.toMatchObject({ code: 'Unauthenticated', details: { reason } });
  });

  it('is refused when its end is past, its signature another’s, its algorithm none, or it is not yet good', async () => {
    await expect(recognise(await sign({ exp: inSeconds(-1) }))).rejects.toMatchObject({
      details: { reason: 'expired' },
    });
    await expect(
      recognise(await sign({}, 'another-secret-that-is-just-as-long-as-ours')),
    ).rejects.toMatchObject({
      details: { reason: 'invalid' },
    });
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.`;
    await expect(recognise(none)).rejects.toMatchObject({ details: { reason: 'invalid', allowed: 'HS256' } });
    await expect(recognise(await sign({ nbf: inSeconds(60) }))).rejects.toMatchObject({
      code: 'Unauthenticated',
    });
  });

  it.each([
    ['role', { role: 'king' }, /role is "king"; allowed: worker, member, tenant_admin, super_admin/],
    ['role', { role: undefined }, /role is missing/],
    ['tenant_id', { tenant_id: 'demo' }, /tenant_id is "demo"; allowed: a tenant's UUID/],
    ['tenant_id', { tenant_id: undefined }, /tenant_id is missing/],
    ['tenant', { tenant_id: '01900000-0000-7000-8000-000000000000' }, /There is no tenant 01900000/],
    ['sub', { sub: '' }, /no `sub`/],
    ['sub', { sub: 'a\0b' }, /no `sub`/],
    ['sub', { sub: 'a\ud800b' }, /no `sub`/],
    ['sub', { sub: 'x'.repeat(256) }, /no `sub`/],
    ['jti', { jti: 'a\0b' }, /has a `jti`/],
    ['jti', { jti: 7 }, /has a `jti`/],
    ['jti', { jti: 'x'.repeat(256) }, /has a `jti`/],
    ['exp', { exp: 1e20 }, /exp is 100000000000000000000/],
    ['persisted_only', { persisted_only: 'yes' }, /persisted_only is "yes"; allowed: true, false/],
    ['iat', { iat: 1e20 }, /iat is 100000000000000000000/],
    ['tenant_id', { tenant_id: SYSTEM_TENANT_ID }, /member cannot be of the system tenant/],
    ['role', { tenant_id: SYSTEM_TENANT_ID, role: 'tenant_admin' }, /tenant_admin cannot be of the system/],
  ])('with a %s that does not parse says so', async (_claim, claims, message) => {
    await expect(recognise(await sign(claims as unknown as JWTPayload))).rejects.toMatchObject({
      code: 'Unauthenticated',
      message: expect.stringMatching(message),
    });
  });

  it('finds its claims under configured names, into objects, and checks issuer and audience', async () => {
    const by = make({
      MILLRACE_JWT_TENANT_CLAIM: 'app_metadata.tenant_id',
      MILLRACE_JWT_ROLE_CLAIM: 'https://example.com/role',
      MILLRACE_JWT_ISSUER: 'us',
      MILLRACE_JWT_AUDIENCE: 'millrace',
    });
    const claims = {
      app_metadata: { tenant_id: tenantId },
      'https://example.com/role': 'tenant_admin',
      iss: 'us',
      aud: 'millrace',
    };
    expect(await recognise(await sign(claims), by)).toMatchObject({ tenantId, role: 'tenant_admin' });
    await expect(recognise(await sign({ ...claims, iss: 'them' }), by)).rejects.toMatchObject({
      message: /iss/,
    });
    await expect(recognise(await sign({ ...claims, aud: 'else' }), by)).rejects.toMatchObject({
      message: /aud/,
    });
  });

  it('may be signed with a key of a JWKS, but not with HS256 and the public key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    const server = createServer((_request, response) => {
      response.setHeader('connection', 'close').end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
      const by = new Authenticator(queue.db, loadConfig({ MILLRACE_JWKS_URL: url }));
      const token = await new SignJWT({ sub: 'carol', tenant_id: tenantId, role: 'tenant_admin' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(privateKey);
      expect(await recognise(token, by)).toMatchObject({ name: 'user:carol', role: 'tenant_admin' });
      await expect(recognise(await sign({}), by)).rejects.toMatchObject({ details: { reason: 'invalid' } });
    } finally {
      server.close();
    }
  });
});

describe('a super admin', () => {
  it('needs no tenant and may act on any, which nobody else may', async () => {
    const root = await sign({ role: 'super_admin', tenant_id: undefined });
    expect(await recognise(root)).toMatchObject({ tenantId: SYSTEM_TENANT_ID, role: 'super_admin' });
    expect(await recognise(root, authenticator, tenantId)).toMatchObject({ tenantId, role: 'super_admin' });
    await expect(recognise(root, authenticator, 'demo')).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(recognise(await sign({}), authenticator, SYSTEM_TENANT_ID)).rejects.toMatchObject({
      code: 'Forbidden',
    });
    expect(await recognise(await sign({}), authenticator, tenantId)).toMatchObject({ tenantId });
  });
});

describe('the tenant that a super admin acts on', () => {
  it('must live, at first and at each look again', async () => {
    const root = await sign({ role: 'super_admin', tenant_id: undefined });
    const nowhere = '01900000-0000-7000-8000-000000000000';
    await expect(recognise(root, authenticator, nowhere)).rejects.toMatchObject({
      code: 'Unauthenticated',
      message: `There is no tenant ${nowhere} to act on`,
      details: { reason: 'unknownTenant' },
    });
    const gone = await queue.makeTenant();
    const acting = await authenticator.authenticate({ token: root, tenantId: gone });
    const ownTenant = await authenticator.authenticate({ token: root, tenantId: null });
    await queue.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [gone]);
    const [ended, goesOn] = await authenticator.recheck([acting, ownTenant]);
    expect(ended).toMatchObject({ code: 'Unauthenticated', details: { reason: 'unknownTenant' } });
    expect(goesOn).toMatchObject({ actor: { tenantId: SYSTEM_TENANT_ID } });
    await expect(recognise(root, make(), gone)).rejects.toMatchObject({ code: 'Unauthenticated' });
  });
});

describe('an API key', () => {
  async function insert(
    columns: { role?: string; expires?: string; revoked?: string; tenantId?: string } = {},
  ): Promise<string> {
    const key = newApiKey();
    await queue.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash, expires_at, revoked_at)
       values ($1, 'k', $2, $3, now() + $4::interval, now() + $5::interval)`,
      [
        columns.tenantId ?? tenantId,
        columns.role ?? 'tenant_admin',
        hashApiKey(key),
        columns.expires ?? null,
        columns.revoked ?? null,
      ],
    );
    return key;
  }

  it('is recognised by its hash', async () => {
    const actor = await recognise(await insert());
    expect(actor).toMatchObject({ tenantId, role: 'tenant_admin', expiresAt: null });
    expect(actor.name).toBe(`key:${actor.credentialId}`);
  });

  it('of the system tenant is a super admin’s, a worker’s of all tenants, or nobody’s', async () => {
    const system = { tenantId: SYSTEM_TENANT_ID };
    for (const role of ['member', 'tenant_admin']) {
      await expect(recognise(await insert({ ...system, role }))).rejects.toMatchObject({
        code: 'Unauthenticated',
        message: `Role ${role} cannot be of the system tenant`,
      });
    }
    for (const role of ['super_admin', 'worker'])
      expect(await recognise(await insert({ ...system, role }))).toMatchObject({ ...system, role });
  });

  it('that was revoked is found by an index, however many there are', async () => {
    await queue.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash)
       select $1, 'k', 'member', sha256(('plan' || n)::bytea) from generate_series(1, 5000) n`,
      [tenantId],
    );
    await queue.superuser.query('analyze millrace.api_keys');
    const { rows } = await queue.superuser.query('select id from millrace.api_keys limit 1');
    const plan = await queue.superuser.query('begin; set local role millrace_worker').then(() =>
      queue.superuser.query(`explain ${readStandings.text}`, [
        [tenantId, tenantId],
        [null, 'alice'],
        [rows[0].id, 'token-1'],
        [rows[0].id, null],
        [tenantId, tenantId],
      ]),
    );
    await queue.superuser.query('rollback');
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Scan using api_keys_pkey/);
    expect(text).not.toMatch(/Seq Scan on api_keys/);
  });

  it('is refused when it has ended or was revoked', async () => {
    await expect(recognise(await insert({ expires: '-1 second' }))).rejects.toMatchObject({
      details: { reason: 'expired' },
    });
    await expect(recognise(await insert({ revoked: '-1 second' }))).rejects.toMatchObject({
      details: { reason: 'revoked' },
    });
  });
});

describe('the tenant has the last word', () => {
  it('a listed member has the lower of both roles, and who is not listed is nobody', async () => {
    const listed = await queue.makeTenant();
    await queue.superuser.query(
      `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'alice', 'member'), ($1, 'bob', 'tenant_admin')`,
      [listed],
    );
    const as = async (sub: string, role: string) => recognise(await sign({ sub, role, tenant_id: listed }));
    expect(await as('alice', 'tenant_admin')).toMatchObject({ role: 'member' });
    expect(await as('bob', 'tenant_admin')).toMatchObject({ role: 'tenant_admin' });
    expect(await as('bob', 'member')).toMatchObject({ role: 'member' });
    expect(await as('root', 'super_admin')).toMatchObject({ role: 'super_admin' });
    await expect(as('eve', 'tenant_admin')).rejects.toMatchObject({ details: { reason: 'notMember' } });
  });

  it('a revocation ends what was issued before it, by person or by token, in that tenant alone', async () => {
    const old = await sign({ sub: 'dave', iat: inSeconds(-60) });
    const named = await sign({ sub: 'erin', jti: 'stolen' });
    const elsewhere = await sign({ sub: 'dave', iat: inSeconds(-60), tenant_id: await queue.makeTenant() });
    await queue.superuser.query(
      `insert into millrace.revocations (tenant_id, subject, token_id, not_before)
       values ($1, 'dave', null, now() - interval '10 s'), ($1, null, 'stolen', now() + interval '1 hour')`,
      [tenantId],
    );
    for (const token of [old, named]) {
      await expect(recognise(token)).rejects.toMatchObject({ details: { reason: 'revoked' } });
    }
    expect(await recognise(await sign({ sub: 'dave' }))).toMatchObject({ name: 'user:dave' });
    expect(await recognise(elsewhere)).toMatchObject({ name: 'user:dave' });
  });

  it('nobody gets into a deleted tenant', async () => {
    const gone = await queue.makeTenant();
    await queue.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [gone]);
    await expect(recognise(await sign({ tenant_id: gone }))).rejects.toMatchObject({
      details: { reason: 'unknownTenant' },
    });
  });
});
