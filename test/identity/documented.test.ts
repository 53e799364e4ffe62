import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/core/actor.ts';
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
});
