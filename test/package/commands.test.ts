import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { COMMANDS, overview } from '../../src/cli/commands.ts';
import { repository } from '../repository/planted.ts';
import { startProgram } from '../support/program.ts';

const suffix = randomBytes(6).toString('hex');
const name = `test_${suffix}`;
const login = `login_${suffix}`;
const prefix = `roles_${suffix}`;
const databaseUrl = Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href;
let server: pg.Client;

beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  await server.query(`create database ${name}`);
});
afterAll(async () => {
  await server.query(`drop database if exists ${name} with (force)`);
  for (const role of [login, `${prefix}_api`, `${prefix}_worker`, `${prefix}_admin`])
    await server.query(`drop role if exists ${role}`);
  await server.end();
});

async function millrace(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = startProgram('src/main.ts', args, {
    DATABASE_URL: databaseUrl,
    MILLRACE_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-for-anyone',
    ...env,
  });
  return { code: await program.ended(), out: program.stdout(), err: program.stderr() };
}

describe('millrace', () => {
  test('names every command in its overview, and each explains itself without doing anything', async () => {
    expect((await millrace(['--help'])).out).toBe(overview());
    for (const [command, { usage, summary }] of Object.entries(COMMANDS)) {
      expect(overview()).toContain(`  ${command.padEnd(9)} ${summary}`);
      expect(await usage()).toMatch(new RegExp(`^millrace (${command}|tenant) `));
    }
    const { code, out } = await millrace(['migrate', '--help'], { DATABASE_URL: 'not looked at' });
    expect({ code, out }).toEqual({ code: 0, out: await COMMANDS['migrate']?.usage() });
  });

  test('refuses a command and an option that it does not know', async () => {
    const unknown = await millrace(['toString']);
    expect(unknown).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('no command "toString"'),
    });
    expect(await millrace(['migrate', '--dry-run'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--dry-run'),
    });
    expect(await millrace(['roles'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--sql is missing'),
    });
  });

  test('says what is pending, applies it and names it, and then has nothing to do', async () => {
    const pending = await millrace(['migrate', '--check']);
    expect(pending.code).toBe(1);
    expect(pending.out).toMatch(/^pending 20261203000000_baseline$/m);
    expect(pending.out).toMatch(/^\d+ pending, 0 applied$/m);
    const applied = await millrace(['migrate']);
    expect(applied.code).toBe(0);
    expect(applied.out).toMatch(/^applied 20261203000000_baseline$/m);
    expect(applied.out).toMatch(/^\d+ applied, 0 already there$/m);
    const none = await millrace(['migrate', '--check']);
    expect(none).toMatchObject({ code: 0, out: expect.stringMatching(/^0 pending, \d+ applied$/m) });
    await server.query(`create role ${login} login password 'secret'`);
  });

  test('prints roles that an administrator can make, and by which an ordinary login then passes the doctor', async () => {
    const sql = await millrace(['roles', '--sql', '--login', login]);
    expect(sql.code).toBe(0);
    await server.query(sql.out);
    const other = await millrace(['roles', '--sql', '--login', login], { MILLRACE_ROLE_PREFIX: prefix });
    await server.query(other.out);
    const { rows } = await server.query('select count(*)::int as n from pg_roles where rolname like $1', [
      `${prefix}_%`,
    ]);
    expect(rows[0].n).toBe(3);
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query(`grant select on public._prisma_migrations to ${login}`).finally(() => admin.end());
    const url = Object.assign(new URL(databaseUrl), { username: login, password: 'secret' }).href;
    const doctor = await millrace(['doctor', '--json'], { DATABASE_URL: url });
    const { findings } = JSON.parse(doctor.out) as { findings: { check: string; verdict: string }[] };
    const verdictIn = (check: string) => findings.find((finding) => finding.check === check)?.verdict;
    expect(['login', 'roles', 'row-security', 'migrations'].map(verdictIn)).toEqual(Array(4).fill('ok'));
    // Heard, if late on a busy machine.
    expect(['ok', 'warn']).toContain(verdictIn('notifications'));
  });
});

describe('docs/cli.md', () => {
  test('has a section for each command, and every command line in it runs', async () => {
    const page = await readFile(join(repository, 'docs/cli.md'), 'utf8');
    for (const command of Object.keys(COMMANDS))
      expect(page).toMatch(new RegExp(`^## .*\`${command}\``, 'm'));
    const lines = [...page.matchAll(/^\$ npx millrace (.*?)\s*(?:#.*)?$/gm)].map(([, line = '']) => line);
    const finite = lines.filter((line) => !/^(demo|start|server|worker)\b(?!.*--check)/.test(line));
    expect(finite.length).toBeGreaterThan(10);
    let keyId = '';
    for (const line of finite) {
      const args = line
        .replace('<key id>', keyId)
        .split(' ')
        .map((word) => word.replaceAll("'", ''));
      const { code, out, err } = await millrace(args);
      expect({ line, code, err }).toMatchObject({ line, code: 0 });
      if (line.startsWith('key list')) keyId = /^[0-9a-f-]{36}/m.exec(out)?.[0] ?? '';
    }
  });
});
