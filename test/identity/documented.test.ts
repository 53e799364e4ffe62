import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/core/actor.ts';
import { SCOPES } from '../../src/core/scopes.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

const page = readFileSync(new URL('../../docs/identity.md', import.meta.url), 'utf8');

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('docs/identity.md', () => {
  it('has a column for each role', () => {
    expect(page).toContain(`| may | ${ROLES.map((role) => `\`${role}\``).join(' | ')} |`);
  });

  it('gives SQL that lowers a member and revokes a person, a token and a key', async () => {
    const tenantId = await api.makeTenant();
    const asAlice = await api.token(tenantId, 'tenant_admin', { subject: 'alice' });
    const asBob = await api.token(tenantId, 'member', { subject: 'bob' });
    const key = newApiKey();
    await api.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash) values ($1, 'ci', 'member', $2)`,
      [tenantId, hashApiKey(key)],
    );
    const role = async (token: string) => {
      const answer = await api.query(token, '{ viewer { role } }');
      return answer.data?.viewer.role ?? answer.errors[0]?.message;
    };
    expect(await Promise.all([asAlice, asBob, key].map(role))).toEqual(['TENANT_ADMIN', 'MEMBER', 'MEMBER']);
    const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
    await api.superuser.query(sql.replaceAll('<tenant>', tenantId));
    const held = ['MEMBER', 'Token has been revoked', 'Token has been revoked'].join();
    await waitFor(async () => (await Promise.all([asAlice, asBob, key].map(role))).join() === held, {
      describe: 'the rows to hold',
    });
    const { rows } = await api.superuser.query(
      'select token_id from millrace.revocations where tenant_id = $1',
      [tenantId],
    );
    expect(rows.map((row) => row.token_id)).toContain('stolen');
  });

  it('gives GraphQL that a tenant admin makes, lists and revokes keys with, and changes members and tokens', async () => {
    const tenantId = await api.makeTenant();
    const admin = await api.token(tenantId, 'tenant_admin', { subject: 'alice' });
    const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(
      ([, document]) => document as string,
    );
    expect(documents).toHaveLength(5);
    let id = '';
    const answers = [];
    for (const document of documents) {
      const answer = await api.query(admin, document, { id });
      expect(answer.errors).toEqual([]);
      // None is refused: what each gives is its payload.
      expect(JSON.stringify(answer.data)).not.toMatch(/"code"/);
      id ||= answer.data.createApiKey?.apiKey.uuid ?? '';
      answers.push(answer.data);
    }
    const [made, listed, revoked, members, tokens] = answers;
    expect(made.createApiKey.secret).toMatch(/^mr_/);
    expect(listed.tenant.apiKeys.nodes).toMatchObject([{ uuid: id, scopes: ['JOBS_READ', 'JOBS_WRITE'] }]);
    expect(revoked.revokeApiKey.apiKey.revokedAt).not.toBeNull();
    expect([members.me.member.role, members.bob.member.role]).toEqual(['TENANT_ADMIN', 'MEMBER']);
    expect(tokens.revokeTokens.issuedBefore).toMatch(/Z$/);
    const list = await api.query(admin, '{ tenant { members { nodes { subject role } } } }');
    expect(list.data.tenant.members.nodes).toHaveLength(2);
  });

  it('gives a mutation that a backend makes access tokens with', async () => {
    const [, document = ''] = /const CREATE = `([\s\S]*?)`;/.exec(page) ?? [];
    const admin = await api.token(await api.makeTenant(), 'tenant_admin');
    const input = { ownJobs: true, subject: 'customer-7', ttlSeconds: 900 };
    const { data } = await api.query(admin, document, { input });
    const { token } = data.createAccessToken;
    expect((await api.query(token, '{ viewer { name } }')).data.viewer.name).toBe('user:customer-7');
  });

  it('has a row for each scope', () => {
    for (const scope of SCOPES)
      expect(page).toContain(`| \`${scope.toUpperCase().replace(':', '_')}\` (\`${scope}\`) |`);
  });
});
