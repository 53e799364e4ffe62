import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// A login that may call millrace.enqueue and nothing else, and tries to have code of its own run as the
// function's owner. It has what an application's login often has: temporary objects, a schema of its own, and
// every setting that a session may change.

let q: TestQueue;
const login = `least_${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  q = await openTestQueue();
  await q.makeTenant('carol');
  await q.makeTenant('demo');
  await q.superuser.query(`create role ${login} login password 'test'`);
  await q.superuser.query(`grant usage on schema millrace to ${login}`);
  await q.superuser.query(`grant execute on function millrace.enqueue to ${login}`);
  await q.superuser.query(
    `grant temporary on database ${q.url.slice(q.url.lastIndexOf('/') + 1)} to ${login}`,
  );
  await q.superuser.query(`create schema own_${login} authorization ${login}`);
});
afterAll(async () => {
  await q.superuser.query(`drop owned by ${login} cascade`);
  await q.superuser.query(`drop role ${login}`);
  await q.close();
});

/** What the trap does when it runs as anybody but its maker. */
const TRAP = `
  if current_user <> session_user then
    raise notice 'trapped as %', current_user;
    execute $x$ update millrace.tenants set name = 'owned' where slug = 'carol' $x$;
  end if;`;

/** Runs the statements as that login in one transaction, and returns the notices that came. */
async function attempt(...statements: readonly string[]): Promise<{ notices: string[]; errors: string[] }> {
  const url = Object.assign(new URL(q.url), { username: login, password: 'test' }).href;
  const client = new pg.Client({ connectionString: url });
  const notices: string[] = [];
  const errors: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  try {
    await client.query('begin');
    for (const statement of statements) {
      await client.query('savepoint s');
      await client.query(statement).catch(async (error: Error) => {
        errors.push(error.message);
        await client.query('rollback to s');
      });
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
  return { notices, errors };
}

const tenantNames = async (): Promise<string[]> =>
  (await q.superuser.query('select name from millrace.tenants where slug = $1', ['carol'])).rows.map(
    (row) => row.name,
  );

const ENQUEUE = `select kind from millrace.enqueue('alpha', payload => '{"a": 1}', tenant => 'demo', scheduled_for => now(),
  dedupe_key => 'd' || random(), dedupe_window_seconds => 5, correlation_id => 'c', subject_type => 's', subject_id => '1',
  depends_on => array[]::uuid[])`;

const TYPES = [
  'timestamptz',
  'uuid',
  'text',
  'jsonb',
  'integer',
  'int4',
  'bigint',
  'boolean',
  'bool',
  'interval',
  'name',
  'double precision',
  'xid8',
  'record',
  'regclass',
];

describe('a login that may only call millrace.enqueue', () => {
  test.each(TYPES)('has none of its code run as the owner by a temporary type named %s', async (type) => {
    const base = type === 'record' ? 'text' : type;
    const { notices, errors } = await attempt(
      `create function pg_temp.trap(v pg_catalog.${pgName(base)}) returns pg_catalog.bool language plpgsql as $t$ begin ${TRAP} return true; end $t$`,
      `create domain pg_temp."${pgName(type)}" as pg_catalog.${pgName(base)} check (pg_temp.trap(value))`,
      ENQUEUE,
    );
    expect({ notices, errors }).toEqual({ notices: [], errors: [] });
    expect(await tenantNames()).toEqual(['carol']);
  });

  test('has none run by temporary tables that are named as ours', async () => {
    const trapped = `create function pg_temp.trap() returns trigger language plpgsql as $t$ begin ${TRAP} return new; end $t$`;
    const tables = [
      'tenants',
      'jobs',
      'job_definitions',
      'job_dependencies',
      'tenant_jobs',
      'fresh',
      'gone',
      'changed',
      'held',
    ];
    const { notices, errors } = await attempt(
      trapped,
      ...tables.flatMap((name) => [
        `create temporary table ${name} (id uuid, tenant_id uuid, job_id uuid, slug text, key text) on commit drop`,
        `create trigger trap before insert on pg_temp.${name} for each row execute function pg_temp.trap()`,
        `grant all on pg_temp.${name} to public`,
      ]),
      ENQUEUE,
    );
    expect({ notices, errors }).toEqual({ notices: [], errors: [] });
    expect(await tenantNames()).toEqual(['carol']);
  });

  test('has none run by operators, functions and casts of a schema that it puts first', async () => {
    const s = `own_${login}`;
    const { notices, errors } = await attempt(
      `grant usage on schema ${s} to public`,
      `create function ${s}.same(a text, b text) returns boolean language plpgsql as $t$ begin ${TRAP} return a operator(pg_catalog.=) b; end $t$`,
      `create operator ${s}.= (leftarg = text, rightarg = text, function = ${s}.same)`,
      `create function ${s}.same(a uuid, b uuid) returns boolean language plpgsql as $t$ begin ${TRAP} return a operator(pg_catalog.=) b; end $t$`,
      `create operator ${s}.= (leftarg = uuid, rightarg = uuid, function = ${s}.same)`,
      `create function ${s}.joined(a text, b text) returns text language plpgsql as $t$ begin ${TRAP} return a operator(pg_catalog.||) b; end $t$`,
      `create operator ${s}.|| (leftarg = text, rightarg = text, function = ${s}.joined)`,
      ...['clock_timestamp() returns timestamptz', 'now() returns timestamptz', 'uuidv7() returns uuid'].map(
        (head) => `create function ${s}.${head} language plpgsql as $t$ begin ${TRAP} return null; end $t$`,
      ),
      `create function ${s}.length(v text) returns integer language plpgsql as $t$ begin ${TRAP} return 1; end $t$`,
      `create function ${s}.pg_notify(a text, b text) returns void language plpgsql as $t$ begin ${TRAP} end $t$`,
      `create type ${s}.mine as (v text)`,
      `create function ${s}.to_mine(v text) returns ${s}.mine language plpgsql as $t$ begin ${TRAP} return row(v); end $t$`,
      `create cast (text as ${s}.mine) with function ${s}.to_mine(text) as implicit`,
      `set local search_path = ${s}, pg_catalog`,
      ENQUEUE,
    );
    expect({ notices, errors }).toEqual({ notices: [], errors: [] });
    expect(await tenantNames()).toEqual(['carol']);
  });

  test('cannot call any other routine that runs as its owner, nor read a table', async () => {
    const { rows } = await q.superuser.query<{ name: string; callable: boolean }>(
      `select p.oid::regprocedure::text as name, has_function_privilege($1, p.oid, 'execute') as callable
       from pg_proc p where p.pronamespace = 'millrace'::regnamespace and p.prosecdef`,
      [login],
    );
    expect(rows.filter(({ callable }) => callable).map(({ name }) => name.replace(/\(.*/, ''))).toEqual([
      'millrace.enqueue',
    ]);
    const { errors } = await attempt(
      'select from millrace.jobs',
      'select from millrace.tenants',
      'select from millrace.job_definitions',
    );
    expect(errors).toHaveLength(3);
  });
});

function pgName(type: string): string {
  const names: Readonly<Record<string, string>> = {
    integer: 'int4',
    bigint: 'int8',
    boolean: 'bool',
    'double precision': 'float8',
  };
  return names[type] ?? type;
}
