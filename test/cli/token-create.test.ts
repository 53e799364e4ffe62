import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTtlSeconds } from '../../src/cli/ttl.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startProgram } from '../support/program.ts';

let api: TestApi;
let slug: string;

beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  slug = (await api.superuser.query('select slug from millrace.tenants where id = $1', [tenantId])).rows[0]
    .slug;
});
afterAll(() => api.close());

async function create(...args: string[]) {
  const program = startProgram('src/main.ts', ['token', 'create', ...args], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-for-anyone',
  });
  return { code: await program.ended(), token: program.stdout().trim(), said: program.stderr() };
}

describe('millrace token create', () => {
  it('prints a JWT that the API takes', async () => {
    const { code, token } = await create(
      '--tenant',
      slug,
      '--role',
      'member',
      '--ttl',
      '10m',
      '--sub',
      'zoe',
    );
    expect(code).toBe(0);
    const { data } = await api.query(token, '{ viewer { name role expiresAt tenant { slug } } }');
    expect(data.viewer).toMatchObject({ name: 'user:zoe', role: 'MEMBER', tenant: { slug } });
    expect(Date.parse(data.viewer.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it('names all options that are missing at once', async () => {
    const nothing = await create('--api-key');
    expect(nothing).toMatchObject({ code: 1, token: '' });
    expect(nothing.said).toContain('--tenant, --role, --name are missing');
    expect((await create('--tenant', slug)).said).toContain('--role is missing');
  });

  it('prints an API key that the API takes, and keeps only its hash', async () => {
    const { code, token } = await create(
      '--tenant',
      slug,
      '--role',
      'tenant_admin',
      '--api-key',
      '--name',
      'ci',
      '--scopes',
      'admin,jobs:read',
    );
    expect(code).toBe(0);
    expect(token).toMatch(/^mr_/);
    const { data } = await api.query(token, '{ viewer { role scopes expiresAt } }');
    expect(data.viewer).toEqual({ role: 'TENANT_ADMIN', scopes: ['JOBS_READ', 'ADMIN'], expiresAt: null });
    const { rows } = await api.superuser.query('select k::text as row from millrace.api_keys k');
    expect(rows[0].row).not.toContain(token.slice(3));
  });

  it('says what is wrong', async () => {
    const answers = await Promise.all([
      create('--tenant', 'nowhere', '--role', 'member'),
      create('--tenant', slug, '--role', 'king'),
      create('--tenant', slug, '--role', 'member', '--api-key', '--name', 'k', '--scopes', 'jobs'),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(answers[0]?.said).toContain('There is no tenant "nowhere"');
    expect(answers[1]?.said).toContain('allowed: worker, member, tenant_admin, super_admin');
    expect(answers[2]?.said).toContain('--scopes has "jobs"; allowed: jobs:read');
  });

  it('makes nothing but super admins for the system tenant', async () => {
    const answers = await Promise.all([
      create('--tenant', 'system', '--role', 'tenant_admin'),
      create('--tenant', 'system', '--role', 'member', '--api-key', '--name', 'k'),
      create('--tenant', 'system', '--role', 'super_admin'),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 0]);
    expect(answers[0]?.said).toContain('allowed in the system tenant: super_admin');
    const { rows } = await api.superuser.query(
      `select count(*)::integer as keys from millrace.api_keys where tenant_id = '00000000-0000-0000-0000-000000000000'`,
    );
    expect(rows[0].keys).toBe(0);
  });

  it('understands durations', () => {
    expect(['90s', '30m', '12h', '7d', 'never'].map(parseTtlSeconds)).toEqual([
      90,
      1800,
      43_200,
      604_800,
      null,
    ]);
    expect(() => parseTtlSeconds('soon')).toThrow(/allowed: 90s, 30m, 12h, 7d or never/);
  });
});
