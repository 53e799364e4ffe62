import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function millrace(...args: string[]) {
  const program = startProgram('src/main.ts', args, {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-for-anyone',
  });
  return { code: await program.ended(), out: program.stdout().trim(), err: program.stderr() };
}

const isRefused = async (token: string) => (await api.query(token, '{ viewer { name } }')).errors.length > 0;

describe('the commands about access', () => {
  test('make a tenant once, and a token that works in it', async () => {
    const first = await millrace('tenant', 'create', '--slug', 'acme', '--name', 'Acme');
    const again = await millrace('tenant', 'create', '--slug', 'acme');
    expect([first.code, again.code, again.out]).toEqual([0, 0, first.out]);
    const { out: token } = await millrace(
      'token',
      'create',
      '--tenant',
      'acme',
      '--role',
      'member',
      '--sub',
      'ann',
    );
    const { data } = await api.query(token, '{ viewer { name tenant { slug } } }');
    expect(data.viewer).toEqual({ name: 'user:ann', tenant: { slug: 'acme' } });
  });

  test('end the tokens of a subject, issued until then, and no others', async () => {
    await millrace('tenant', 'create', '--slug', 'revoking');
    const create = (sub: string) =>
      millrace('token', 'create', '--tenant', 'revoking', '--role', 'member', '--sub', sub);
    const [bob, eve] = [(await create('bob')).out, (await create('eve')).out];
    expect((await millrace('token', 'revoke', '--tenant', 'revoking', '--sub', 'bob')).code).toBe(0);
    await waitFor(() => isRefused(bob), { describe: 'the token to end' });
    expect(await isRefused(eve)).toBe(false);
  });

  test('show what a name holds for a terminal to obey, and do not send it there', async () => {
    await millrace('tenant', 'create', '--slug', 'escapes');
    const hostile = 'a\u001b]0;owned\u0007b\r\nc\u009b2Jd\u202ee';
    await api.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash)
       select id, $1, 'member', sha256(convert_to(id::text, 'UTF8')) from millrace.tenants where slug = 'escapes'`,
      [hostile],
    );
    const { out } = await millrace('key', 'list', '--tenant', 'escapes');
    expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
    expect(out.trim().split('\n')).toHaveLength(2);
    expect(out).toContain('a\\u001b]0;owned\\u0007b\\u000d\\nc\\u009b2Jd\\u202ee');
    const refused = await millrace('key', 'list', '--tenant', `x${hostile}`);
    expect(refused.err).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('list keys without their secret and revoke one', async () => {
    await millrace('tenant', 'create', '--slug', 'keys');
    const { out: key } = await millrace(
      'token',
      'create',
      '--tenant',
      'keys',
      '--role',
      'member',
      '--api-key',
      '--name',
      'robot',
    );
    const { out: listed } = await millrace('key', 'list', '--tenant', 'keys');
    expect(listed).toMatch(/member\tgood without end\trobot/);
    expect(listed).not.toContain(key.slice(3));
    const id = listed.split('\n')[1]?.split('\t')[0] ?? '';
    expect((await millrace('key', 'revoke', '--tenant', 'keys', '--id', id)).code).toBe(0);
    await waitFor(() => isRefused(key), { describe: 'the key to end' });
    expect((await millrace('key', 'revoke', '--tenant', 'keys', '--id', id)).err).toContain('no key');
  });

  test('let a membership lower what a token says', async () => {
    await millrace('tenant', 'create', '--slug', 'members');
    const { out: token } = await millrace(
      'token',
      'create',
      '--tenant',
      'members',
      '--role',
      'tenant_admin',
      '--sub',
      'kim',
    );
    await millrace('member', 'set', '--tenant', 'members', '--sub', 'kim', '--role', 'member');
    await waitFor(
      async () => (await api.query(token, '{ viewer { role } }')).data?.viewer.role === 'MEMBER',
      { describe: 'the role to fall' },
    );
    expect((await millrace('member', 'remove', '--tenant', 'members', '--sub', 'nobody')).code).toBe(1);
  });

  test('leave a record of what they did and by whom, without secrets, and none of what was refused', async () => {
    const tenant = ['--tenant', 'recorded'];
    const { out: tenantId } = await millrace('tenant', 'create', '--slug', 'recorded');
    await millrace('tenant', 'create', '--slug', 'recorded');
    await millrace('member', 'set', ...tenant, '--sub', 'kim', '--role', 'member');
    await millrace('member', 'remove', ...tenant, '--sub', 'nobody');
    const key = ['--role', 'member', '--api-key', '--name', 'robot'];
    const { out: secret } = await millrace('token', 'create', ...tenant, ...key);
    await millrace('token', 'revoke', ...tenant, '--sub', 'bob');
    const { rows } = await api.superuser.query(
      'select actor, action, target_id, details from millrace.audit_log where tenant_id = $1 order by id',
      [tenantId],
    );
    expect(rows.map((row) => row.action)).toEqual([
      'tenant.create',
      'member.set',
      'api_key.create',
      'token.revoke',
    ]);
    expect(rows[1]).toMatchObject({ target_id: 'kim', details: { role: 'member' } });
    for (const row of rows) expect(row.actor).toMatch(/^cli(:.+)?$/);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(3));
  });

  test.each([
    [['tenant', 'create', '--slug', 'Not A Slug'], 1, '--slug'],
    [['key', 'revoke', '--tenant', 'system', '--id', 'x'], 1, '--id'],
    [['member', 'set', '--tenant', 'nowhere', '--sub', 'a', '--role', 'member'], 1, 'no tenant'],
    [['token', 'revoke', '--tenant', 'system'], 1, '--sub or --id'],
    [['token', 'destroy'], 2, 'token create'],
    [['token', 'destroy'], 2, 'no command "token destroy"'],
    [['key'], 2, 'key list'],
    [['nonsense'], 2, 'token     create, revoke'],
  ])('say what is wrong with %j', async (args, code, said) => {
    const result = await millrace(...args);
    expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
    expect(result.err).toContain(said);
  });
});
