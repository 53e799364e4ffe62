import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { DomainError } from '../../src/core/errors.ts';
import { IDENTITY_CHANNEL } from '../../src/db/channels.ts';
import { createListener } from '../../src/db/listener.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { Authenticator } from '../../src/identity/authenticator.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { IdentityWatch } from '../../src/identity/identity-watch.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

const config = loadConfig({ MILLRACE_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-for-anyone' });
/** The notification or nothing: the round that goes without it would come in an hour. */
const NEVER_MS = 3_600_000;

/** Counts what the database is asked. */
class CountingAuthenticator extends Authenticator {
  readonly askedCounts: number[] = [];
  override recheck(identities: readonly Identity[]) {
    this.askedCounts.push(identities.length);
    return super.recheck(identities);
  }
}

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
afterAll(() => queue.close());

/** A watch over the real database; with the real notifications, or with ones that nobody hears. */
async function openWatch(options: { readonly isListening: boolean; readonly recheckMs?: number }) {
  const listener = createListener({
    connectionString: queue.url,
    channels: [IDENTITY_CHANNEL],
    log: silentLog,
  });
  if (options.isListening) await listener.start();
  const authenticator = new CountingAuthenticator(queue.db, config);
  const watch = new IdentityWatch(authenticator, listener, silentLog, options);
  onTestFinished(async () => {
    watch.stop();
    await listener.stop();
  });
  return { watch, authenticator };
}

async function tokenIdentity(authenticator: Authenticator, tenantId: string, subject: string) {
  const request = { subject, tenantId, role: 'tenant_admin', ttlSeconds: 86_400 } as const;
  return authenticator.authenticate({ token: await signToken(config, request), tenantId: null });
}

async function keyIdentity(authenticator: Authenticator, tenantId: string) {
  const key = newApiKey();
  await queue.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, role, key_hash, scopes) values ($1, 'k', 'tenant_admin', $2, '{jobs:read}')`,
    [tenantId, hashApiKey(key)],
  );
  return authenticator.authenticate({ token: key, tenantId: null });
}

/** Many credentials of one tenant, as as many tokens would give. */
function manyOf(identity: Identity, count: number): Identity[] {
  return Array.from({ length: count }, (_, n) => ({
    ...identity,
    credential: { ...identity.credential, credentialId: `jti-${n}` },
    key: `${identity.key}-${n}`,
  }));
}

describe('the notification ends what the database no longer lets in', () => {
  const changes: Record<string, (tenantId: string, identity: Identity) => readonly [string, unknown[]]> = {
    'a person’s revocation': (tenantId, { credential }) => [
      `insert into millrace.revocations (tenant_id, subject, not_before) values ($1, $2, now() + interval '1 minute')`,
      [tenantId, credential.subject],
    ],
    'a token’s revocation': (tenantId, { credential }) => [
      `insert into millrace.revocations (tenant_id, token_id, not_before) values ($1, $2, now() + interval '1 minute')`,
      [tenantId, credential.credentialId],
    ],
    'somebody else becoming the first member': (tenantId) => [
      `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'else', 'member')`,
      [tenantId],
    ],
    'the tenant’s deletion': (tenantId) => [
      'update millrace.tenants set deleted_at = now() where id = $1',
      [tenantId],
    ],
  };

  it.each(Object.keys(changes))('after %s', async (change) => {
    const { watch, authenticator } = await openWatch({ isListening: true, recheckMs: NEVER_MS });
    const tenantId = await queue.makeTenant();
    const identity = await tokenIdentity(authenticator, tenantId, `ann-${randomUUID()}`);
    const ended: DomainError[] = [];
    for (let n = 0; n < 3; n++) watch.watch(identity, (why) => ended.push(why));
    const [sql, values] = (changes[change] as (typeof changes)[string])(tenantId, identity);
    await queue.superuser.query(sql, values);
    await waitFor(() => ended.length === 3, { describe: 'all three to end' });
    expect(new Set(ended.map(({ code }) => code))).toEqual(new Set(['Unauthenticated']));
    expect([...watch.endedCounts.values()]).toEqual([3]);
    expect(watch.credentialCount).toBe(0);
  });

  it.each([
    ['is revoked', 'revoked_at = now()', 'revoked'],
    ['gets an end that is past', `expires_at = now() - interval '1 second'`, 'expired'],
    ['gets an end that comes soon', `expires_at = now() + interval '300 milliseconds'`, 'expired'],
  ])('after an API key %s', async (_what, set, reason) => {
    const { watch, authenticator } = await openWatch({ isListening: true, recheckMs: NEVER_MS });
    const identity = await keyIdentity(authenticator, await queue.makeTenant());
    const ended: DomainError[] = [];
    watch.watch(identity, (why) => ended.push(why));
    await queue.superuser.query(`update millrace.api_keys set ${set} where id = $1`, [
      identity.credential.credentialId,
    ]);
    await waitFor(() => ended.length > 0, { describe: 'the key to end' });
    expect(ended).toMatchObject([{ code: 'Unauthenticated', details: { reason } }]);
  });

  it('after an API key is deleted, and says so to nobody who has left', async () => {
    const { watch, authenticator } = await openWatch({ isListening: true, recheckMs: NEVER_MS });
    const identity = await keyIdentity(authenticator, await queue.makeTenant());
    const ended: string[] = [];
    const left = watch.watch(identity, () => ended.push('left'));
    watch.watch(identity, () => ended.push('stayed'));
    left.unwatch();
    await queue.superuser.query('delete from millrace.api_keys where id = $1', [
      identity.credential.credentialId,
    ]);
    await waitFor(() => ended.length > 0, { describe: 'the key to end' });
    expect(ended).toEqual(['stayed']);
  });
});

describe('a credential that changes and goes on', () => {
  it('gives every stream its new role and scopes, and calls none of them ended', async () => {
    const { watch, authenticator } = await openWatch({ isListening: true, recheckMs: NEVER_MS });
    const identity = await keyIdentity(authenticator, await queue.makeTenant());
    const changed: Identity[] = [];
    const ended: DomainError[] = [];
    const one = watch.watch(
      identity,
      (why) => ended.push(why),
      (now) => changed.push(now),
    );
    const other = watch.watch(identity, (why) => ended.push(why));
    expect(one.current().actor).toMatchObject({ role: 'tenant_admin', scopes: ['jobs:read'] });
    await queue.superuser.query(
      `update millrace.api_keys set role = 'member', scopes = '{}', persisted_only = true where id = $1`,
      [identity.credential.credentialId],
    );
    await waitFor(() => changed.length > 0, { describe: 'the change' });
    for (const now of [one.current(), other.current(), changed[0]])
      expect(now).toMatchObject({ actor: { role: 'member', scopes: null }, persistedOnly: true });
    expect(ended).toEqual([]);
  });
});

describe('without notifications', () => {
  it('the regular round ends what was revoked', async () => {
    const { watch, authenticator } = await openWatch({ isListening: false, recheckMs: 50 });
    const identity = await keyIdentity(authenticator, await queue.makeTenant());
    const ended: DomainError[] = [];
    watch.watch(identity, (why) => ended.push(why));
    await queue.superuser.query('update millrace.api_keys set revoked_at = now() where id = $1', [
      identity.credential.credentialId,
    ]);
    await waitFor(() => ended.length > 0, { describe: 'the key to end' });
  });
});

describe('the end of a token', () => {
  it('ends it not before and soon after, and leaves those that go on', async () => {
    const { watch, authenticator } = await openWatch({ isListening: false, recheckMs: NEVER_MS });
    const identity = await tokenIdentity(authenticator, await queue.makeTenant(), 'ann');
    const endsAtMs = [200, 205, 400].map((inMs) => Date.now() + inMs);
    const endedAtMs: number[] = [];
    const identities = manyOf(identity, 4).map((one, n) => {
      const endMs = endsAtMs[n];
      return endMs === undefined ? one : { ...one, actor: { ...one.actor, expiresAt: new Date(endMs) } };
    });
    for (const one of identities) watch.watch(one, () => endedAtMs.push(Date.now()));
    await waitFor(() => endedAtMs.length === 3, { describe: 'three to end' });
    for (const [n, ms] of endedAtMs.entries()) expect(ms).toBeGreaterThanOrEqual(endsAtMs[n] as number);
    expect(watch.credentialCount).toBe(1);
    expect(watch.endedCounts.get('expired')).toBe(3);
  });
});

describe('ten thousand sockets', () => {
  it('of one credential are one question to the database, and take few bytes each', async () => {
    const { watch, authenticator } = await openWatch({ isListening: false, recheckMs: 50 });
    const identity = await tokenIdentity(authenticator, await queue.makeTenant(), 'ann');
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const end = () => undefined;
    // Watches as a socket and its stream do, so two a socket.
    const kept = new Array(20_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < kept.length; n++) kept[n] = watch.watch(identity, end);
    collect();
    const bytesPerSocket = (process.memoryUsage().heapUsed - before) / 10_000;
    expect(bytesPerSocket).toBeLessThan(200);
    await waitFor(() => authenticator.askedCounts.length >= 2, { describe: 'two rounds' });
    expect(new Set(authenticator.askedCounts)).toEqual(new Set([1]));
    expect(watch.credentialCount).toBe(1);
    for (const one of kept) one.unwatch();
    expect(watch.credentialCount).toBe(0);
  });

  it('of as many credentials are asked for 500 at a time, and all end at the notification of their tenant', async () => {
    const { watch, authenticator } = await openWatch({ isListening: true, recheckMs: NEVER_MS });
    const [tenantId, elsewhere] = [await queue.makeTenant(), await queue.makeTenant()];
    const identities = manyOf(await tokenIdentity(authenticator, tenantId, 'ann'), 10_000);
    let endedCount = 0;
    for (const identity of identities) watch.watch(identity, () => endedCount++);
    const spared = await tokenIdentity(authenticator, elsewhere, 'ann');
    watch.watch(spared, () => endedCount++);
    await queue.superuser.query(
      `insert into millrace.revocations (tenant_id, subject, not_before) values ($1, 'ann', now() + interval '1 minute')`,
      [tenantId],
    );
    await waitFor(() => endedCount === identities.length, {
      describe: () => `all to end, ${endedCount} did`,
    });
    // The tenant's, and nobody else's.
    expect(authenticator.askedCounts).toEqual(Array.from({ length: 20 }, () => 500));
    expect(watch.credentialCount).toBe(1);
  });
});
