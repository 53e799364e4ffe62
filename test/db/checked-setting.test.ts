import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// `millrace.checked = 'by_caller'`: our own statements have looked at what they write, so that the database
// need not do it again. `millrace.notify = 'after_commit'`: the writer notifies by itself. Neither says the
// other.

const NOBODY = '00000000-0000-7000-8000-000000000001';
const login = `plain_${randomBytes(4).toString('hex')}`;

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant('acme');
  // May write whatever it likes, of every tenant: no right of its is missing but the one to be believed.
  await q.superuser.query(`
    create role ${login} bypassrls;
    grant usage on schema millrace to ${login};
    grant select, insert, update, delete on all tables in schema millrace to ${login};
    grant execute on function millrace.enqueue to ${login}`);
});
beforeEach(() => q.clear());
afterAll(async () => {
  await q.superuser.query(`drop owned by ${login}; drop role ${login}`);
  await q.close();
});

/** Runs a statement as a role, with the settings, and takes it back. */
async function attempt(role: string, settings: string, sql: string): Promise<string> {
  await q.superuser.query('begin');
  try {
    await q.superuser.query(`set local role ${role}; ${settings}`);
    await q.superuser.query(sql);
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    await q.superuser.query('rollback');
  }
}

const CHECKED = `set local millrace.checked = 'by_caller'`;
const NOTIFIES = `set local millrace.notify = 'after_commit'`;
const jobOf = (tenant: string, priority = 1) =>
  `insert into millrace.jobs (tenant_id, definition_id, priority) values ('${tenant}', '${q.definitionId('alpha')}', ${priority})`;
const artifactOf = (tenant: string) =>
  `insert into millrace.artifacts (tenant_id, job_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
   values ('${tenant}', '${NOBODY}', 'x', 'y', 'z', 'k', 1, repeat('a', 64), 'text/plain')`;
const edgeOf = (tenant: string) =>
  `insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ('${NOBODY}', '${NOBODY}', '${tenant}')`;

describe('a writer that notifies by itself', () => {
  test.each(['millrace_worker', 'postgres'])('is checked all the same, %s too', async (role) => {
    expect(await attempt(role, NOTIFIES, jobOf(NOBODY))).toBe('23503');
    expect(await attempt(role, NOTIFIES, jobOf(tenantId, -1))).toBe('23514');
    expect(await attempt(role, NOTIFIES, artifactOf(tenantId))).toBe('23503');
    expect(await attempt(role, NOTIFIES, edgeOf(tenantId))).toBe('23503');
  });
});

describe('a writer that says it has checked', () => {
  test('is believed in the workers’ role, and in the API’s', async () => {
    expect(await attempt('millrace_worker', CHECKED, jobOf(NOBODY))).toBe('done');
    expect(await attempt('millrace_worker', CHECKED, jobOf(tenantId, -1))).toBe('done');
    expect(await attempt('millrace_worker', CHECKED, artifactOf(tenantId))).toBe('done');
    const asTenant = `${CHECKED}; set local millrace.tenant_id = '${tenantId}'`;
    expect(await attempt('millrace_api', asTenant, jobOf(tenantId, -1))).toBe('done');
  });

  test.each([login, 'postgres'])('gains nothing as any other login, %s', async (role) => {
    for (const settings of [CHECKED, `${CHECKED}; ${NOTIFIES}`]) {
      expect(await attempt(role, settings, jobOf(NOBODY))).toBe('23503');
      expect(await attempt(role, settings, jobOf(tenantId, -1))).toBe('23514');
      expect(await attempt(role, settings, artifactOf(tenantId))).toBe('23503');
      expect(await attempt(role, settings, edgeOf(tenantId))).toBe('23503');
    }
  });

  test('gains nothing through a function that runs as the workers’ role', async () => {
    const bad = `select millrace.enqueue('alpha', '1', 'acme', subject_type => repeat('x', 101), subject_id => '1')`;
    expect(await attempt(login, CHECKED, bad)).not.toBe('done');
    await q.superuser.query(`
      create function millrace.spy() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
      begin raise exception 'checked: %', current_setting('millrace.checked') using errcode = 'P0099'; end $$;
      create trigger spy before insert on millrace.jobs for each row execute function millrace.spy()`);
    try {
      await q.superuser.query('begin');
      await q.superuser.query(`set local role ${login}; ${CHECKED}`);
      await expect(q.superuser.query(`select millrace.enqueue('alpha', '1', 'acme')`)).rejects.toMatchObject({
        code: 'P0099',
        message: 'checked: ',
      });
    } finally {
      await q.superuser.query('rollback; drop trigger spy on millrace.jobs; drop function millrace.spy()');
    }
  });
});
