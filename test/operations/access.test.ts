import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const FAILURE = '__typename ... on DomainFailure { code field allowed message }';
const KEY = 'uuid name role scopes isPersistedOnly expiresAt revokedAt createdBy';
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { ${FAILURE}
  ... on CreateApiKeyPayload { secret apiKey { ${KEY} } } } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { ${FAILURE} ... on RevokeApiKeyPayload { apiKey { ${KEY} } } } }`;
const REVOKE_TOKENS = `mutation ($input: RevokeTokensInput!) { revokeTokens(input: $input) { ${FAILURE}
  ... on RevokeTokensPayload { issuedBefore } } }`;
const SET = `mutation ($input: SetMemberInput!) { setMember(input: $input) { ${FAILURE}
  ... on SetMemberPayload { member { uuid subject role createdAt } } } }`;
const REMOVE = `mutation ($subject: String!) { removeMember(input: { subject: $subject }) { ${FAILURE}
  ... on RemoveMemberPayload { tenant { uuid members { nodes { subject } } } } } }`;
const SYSTEM = { 'x-millrace-tenant': '00000000-0000-0000-0000-000000000000' };

async function newTenant() {
  const tenantId = await api.makeTenant();
  return { tenantId, admin: await api.token(tenantId, 'tenant_admin') };
}

async function create(token: string, input: object, headers = {}) {
  const answer = await api.query(token, CREATE, { input: { name: 'ci', role: 'MEMBER', ...input } }, headers);
  return answer.data.createApiKey;
}

async function auditOf(tenantId: string) {
  const { rows } = await api.superuser.query(
    'select action, actor, target_type, target_id, details from millrace.audit_log where tenant_id = $1 order by id',
    [tenantId],
  );
  return rows;
}

const messageOf = async (token: string) =>
  (await api.query(token, '{ viewer { name } }')).errors[0]?.message ?? 'good';

describe('createApiKey', () => {
  it('shows the key once, keeps its hash, and writes who made it', async () => {
    const { tenantId, admin } = await newTenant();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await create(admin, {
      scopes: ['JOBS_WRITE', 'JOBS_READ'],
      expiresAt,
      isPersistedOnly: true,
    });
    expect(made.apiKey).toEqual({
      uuid: expect.any(String),
      name: 'ci',
      role: 'MEMBER',
      scopes: ['JOBS_READ', 'JOBS_WRITE'],
      isPersistedOnly: true,
      expiresAt,
      revokedAt: null,
      createdBy: 'user:alice',
    });
    const { rows } = await api.superuser.query('select key_hash from millrace.api_keys where id = $1', [
      made.apiKey.uuid,
    ]);
    expect(rows[0].key_hash).toEqual(hashApiKey(made.secret));
    const listed = await api.query(admin, `{ tenant { apiKeys(first: 5) { nodes { ${KEY} } } } }`);
    expect(listed.data.tenant.apiKeys.nodes).toEqual([made.apiKey]);
    expect(JSON.stringify(listed)).not.toContain(made.secret);
    const audit = await auditOf(tenantId);
    expect(audit).toMatchObject([
      {
        action: 'api_key.create',
        actor: 'user:alice',
        target_type: 'api_key',
        target_id: made.apiKey.uuid,
        details: { name: 'ci', role: 'member', scopes: ['jobs:read', 'jobs:write'], persistedOnly: true },
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain(made.secret);
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['an end that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['no scope in its list', { scopes: [] }, 'scopes'],
    ['a role above the caller’s', { role: 'SUPER_ADMIN' }, 'role'],
  ])('is refused for %s', async (_what, input, field) => {
    const { tenantId, admin } = await newTenant();
    expect(await create(admin, input)).toMatchObject({
      __typename: 'InvalidArgumentError',
      field: `input.${field}`,
    });
    expect(await auditOf(tenantId)).toEqual([]);
  });

  it('says when each was last used, written beside the requests and at most once a minute', async () => {
    const { tenantId, admin } = await newTenant();
    const [first, second] = [await create(admin, {}), await create(admin, {})];
    const uses = async (): Promise<Record<string, string | null>> => {
      const { data } = await api.query(admin, '{ tenant { apiKeys { nodes { uuid lastUsedAt } } } }');
      return Object.fromEntries(
        data.tenant.apiKeys.nodes.map((key: { uuid: string; lastUsedAt: string | null }) => [
          key.uuid,
          key.lastUsedAt,
        ]),
      );
    };
    expect(await uses()).toEqual({ [first.apiKey.uuid]: null, [second.apiKey.uuid]: null });
    const beganMs = Date.now();
    expect(await messageOf(first.secret)).toBe('good');
    await waitFor(async () => (await uses())[first.apiKey.uuid] !== null, { describe: 'its use' });
    const usedMs = Date.parse((await uses())[first.apiKey.uuid] ?? '');
    expect(usedMs).toBeGreaterThanOrEqual(beganMs - 1);
    expect(usedMs).toBeLessThanOrEqual(Date.now());
    // Written again, it would be with the second one’s, in one statement.
    const long = '2026-01-01T00:00:00.000Z';
    await api.superuser.query('update millrace.api_key_uses set last_used_at = $2 where tenant_id = $1', [
      tenantId,
      long,
    ]);
    expect(await messageOf(first.secret)).toBe('good');
    expect(await messageOf(second.secret)).toBe('good');
    await waitFor(async () => (await uses())[second.apiKey.uuid] !== null, { describe: 'the other’s use' });
    expect((await uses())[first.apiKey.uuid]).toBe(long);
  });

  it('makes none for the system tenant but super admins’', async () => {
    const root = await api.token(await api.makeTenant(), 'super_admin');
    expect(await create(root, { role: 'TENANT_ADMIN' }, SYSTEM)).toMatchObject({ field: 'input.role' });
    expect(await create(root, { role: 'SUPER_ADMIN' }, SYSTEM)).toMatchObject({
      apiKey: { role: 'SUPER_ADMIN', scopes: null },
    });
  });

  it('lets a narrowed key make none that is wider', async () => {
    const { admin } = await newTenant();
    const { secret } = await create(admin, { role: 'TENANT_ADMIN', scopes: ['ADMIN', 'JOBS_READ'] });
    for (const scopes of [null, ['JOBS_WRITE'], ['ADMIN', 'VIDEOS_READ']])
      expect(await create(secret, { scopes })).toMatchObject({
        code: 'INVALID_ARGUMENT',
        field: 'input.scopes',
      });
    expect(await create(secret, { scopes: ['JOBS_READ'] })).toMatchObject({
      apiKey: { scopes: ['JOBS_READ'] },
    });
  });
});

describe('revokeApiKey', () => {
  it('ends the key at once, once, and leaves the tenant’s others', async () => {
    const { tenantId, admin } = await newTenant();
    const [ended, other] = [await create(admin, {}), await create(admin, {})];
    expect(await messageOf(ended.secret)).toBe('good');
    const revoke = async () => (await api.query(admin, REVOKE, { id: ended.apiKey.uuid })).data.revokeApiKey;
    const first = await revoke();
    expect(first.apiKey.revokedAt).not.toBeNull();
    expect(await revoke()).toEqual(first);
    await waitFor(async () => (await messageOf(ended.secret)) === 'Token has been revoked', {
      describe: 'the key to be refused',
    });
    expect(await messageOf(other.secret)).toBe('good');
    const actions = (await auditOf(tenantId)).map(({ action }) => action);
    expect(actions).toEqual(['api_key.create', 'api_key.create', 'api_key.revoke']);
    const missing = await api.query(admin, REVOKE, { id: randomUUID() });
    expect(missing.data.revokeApiKey).toMatchObject({ code: 'NOT_FOUND', field: 'input.id' });
  });
});

describe('revokeTokens', () => {
  it('ends those of a person, or one by its jti, and says what it wants when it gets neither or both', async () => {
    const { tenantId, admin } = await newTenant();
    const bob = await api.token(tenantId, 'member', { subject: 'bob' });
    const eve = await api.token(tenantId, 'member', { subject: 'eve' });
    const fay = await api.token(tenantId, 'member', { subject: 'fay' });
    const { jti } = JSON.parse(Buffer.from(eve.split('.')[1] ?? '', 'base64url').toString());
    const revoke = async (input: object) =>
      (await api.query(admin, REVOKE_TOKENS, { input })).data.revokeTokens;
    expect(new Date((await revoke({ subject: 'bob' })).issuedBefore).getTime()).toBeLessThan(
      Date.now() + 60_000,
    );
    await revoke({ jti });
    for (const token of [bob, eve])
      await waitFor(async () => (await messageOf(token)) === 'Token has been revoked', {
        describe: 'the end',
      });
    expect(await messageOf(fay)).toBe('good');
    for (const input of [{ subject: '' }, { jti: 'x'.repeat(256) }])
      expect(await revoke(input)).toMatchObject({ code: 'INVALID_ARGUMENT' });
    for (const input of [{}, { subject: 'a', jti: 'b' }]) {
      const { data, errors } = await api.query(admin, REVOKE_TOKENS, { input });
      expect(data).toBeNull();
      expect(errors[0]?.message).toContain(
        'Exactly one key must be specified for OneOf type "RevokeTokensInput"',
      );
    }
    expect(await auditOf(tenantId)).toMatchObject([
      { action: 'token.revoke', target_type: 'token', target_id: 'bob', details: { by: 'subject' } },
      { action: 'token.revoke', target_type: 'token', target_id: jti, details: { by: 'token id' } },
    ]);
  });
});

describe('setMember and removeMember', () => {
  it('begin with the admin, decide over everybody from then on, and open the tenant again with the last', async () => {
    const { tenantId, admin } = await newTenant();
    const bob = await api.token(tenantId, 'tenant_admin', { subject: 'bob' });
    const set = async (subject: string, role: string) =>
      (await api.query(admin, SET, { input: { subject, role } })).data.setMember;
    const remove = async (subject: string) => (await api.query(admin, REMOVE, { subject })).data.removeMember;
    expect(await set('bob', 'MEMBER')).toMatchObject({ code: 'INVALID_ARGUMENT', allowed: 'alice' });
    expect(await set('alice', 'MEMBER')).toMatchObject({ code: 'INVALID_ARGUMENT', allowed: 'alice' });
    expect((await set('alice', 'TENANT_ADMIN')).member).toMatchObject({
      subject: 'alice',
      role: 'TENANT_ADMIN',
    });
    await waitFor(async () => /not a member/.test(await messageOf(bob)), { describe: 'bob to be nobody' });
    await set('bob', 'MEMBER');
    await waitFor(async () => (await messageOf(bob)) === 'good', { describe: 'bob to be somebody' });
    const role = await api.query(bob, '{ viewer { role } tenant { members { nodes { subject } } } }');
    expect(role.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(await set('bob', 'MEMBER')).toMatchObject({ member: { role: 'MEMBER' } });
    expect(await set('eve', 'WORKER')).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.role' });
    expect((await remove('bob')).tenant.members.nodes).toEqual([{ subject: 'alice' }]);
    expect(await remove('bob')).toMatchObject({ code: 'NOT_FOUND', field: 'input.subject' });
    expect((await remove('alice')).tenant.members.nodes).toEqual([]);
    await waitFor(async () => (await messageOf(bob)) === 'good', {
      describe: 'tokens to be taken at their word',
    });
    expect((await auditOf(tenantId)).map(({ action, target_id }) => `${action} ${target_id}`)).toEqual([
      'member.set alice',
      'member.set bob',
      'member.remove bob',
      'member.remove alice',
    ]);
  });

  it('page through the list, newest first', async () => {
    const { tenantId, admin } = await newTenant();
    await api.superuser.query(
      `insert into millrace.tenant_members (tenant_id, user_sub, role)
       select $1, s, 'tenant_admin' from unnest(array['alice', 'bob', 'carol']) s`,
      [tenantId],
    );
    const page = async (args: string) =>
      (
        await api.query(
          admin,
          `{ tenant { members(${args}) { nodes { subject } pageInfo { hasNextPage endCursor } } } }`,
        )
      ).data.tenant.members;
    const first = await page('first: 2');
    expect(first.nodes).toEqual([{ subject: 'carol' }, { subject: 'bob' }]);
    const rest = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(rest).toMatchObject({ nodes: [{ subject: 'alice' }], pageInfo: { hasNextPage: false } });
  });
});
