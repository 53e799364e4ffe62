import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dumpSchema } from '../../scripts/schema-dump/dump.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { migrationStatus } from '../../src/db/migrate/status.ts';
import { createNotifier, type Notifier } from '../../src/db/notifier.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testPipelines } from '../support/pipelines.ts';
import { alpha, openDatabase, silentLog } from '../support/queue.ts';
import { connectSuperuser } from '../support/superuser.ts';

const BEFORE = new URL('last-before-baseline.sql', import.meta.url);

let server: pg.Client;
const made: string[] = [];
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
});
afterAll(async () => {
  for (const name of made) await server.query(`drop database ${name} with (force)`);
  await server.end();
});

/** A database as the last migration before the baseline left it. */
async function databaseBefore(): Promise<string> {
  const name = `before_${randomBytes(5).toString('hex')}`;
  await server.query(`create database ${name}`);
  made.push(name);
  const url = Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href;
  const client = await connectSuperuser(url);
  await client.query(await readFile(BEFORE, 'utf8'));
  await client.end();
  return url;
}

async function dumpOf(url: string): Promise<string> {
  const client = await connectSuperuser(url);
  return dumpSchema(client, { bodies: true }).finally(() => client.end());
}

describe('a database of the last migration before the baseline', () => {
  test('is then the same as one that is new, whole bodies of functions and rights included', async () => {
    const url = await databaseBefore();
    expect(await migrationStatus(url)).toMatchObject({ unknown: [], edited: [] });
    await migrate({ connectionString: url });
    const fresh: TestDatabase = await createTestDatabase();
    expect(await dumpOf(url)).toBe(await dumpOf(fresh.url));
    await fresh.drop();
    expect(await migrationStatus(url)).toMatchObject({
      pending: [],
      unknown: [],
      edited: [],
      routines: { pending: [], edited: [], gone: [] },
    });
    expect((await migrate({ connectionString: url })).routines).toEqual({ applied: [], dropped: [] });
  });

  test('is taken over while jobs run: those claimed before are settled after, those queued before are claimed', async () => {
    const url = await databaseBefore();
    const client = await connectSuperuser(url);
    const { tenantId, ids } = await claimAsBefore(client);
    // A transaction of a worker that is open while the step begins: it waits, and lets others pass meanwhile.
    const worker = await connectSuperuser(url);
    await worker.query(`begin; set local role millrace_worker`);
    await worker.query(
      "update millrace.jobs set lease_expires_at = lease_expires_at + interval '1 second' where id = $1",
      [ids[0]],
    );
    const lines: string[] = [];
    const waited = Promise.withResolvers<void>();
    const migrating = migrate({
      connectionString: url,
      log: (line) => {
        lines.push(line);
        if (line.includes('waits for')) waited.resolve();
      },
    });
    await waited.promise;
    expect((await client.query('select count(*)::int as n from millrace.jobs')).rows).toEqual([{ n: 3 }]);
    await worker.query('commit');
    await worker.end();
    await migrating;
    await finishAfter(url, tenantId, ids);
    await client.end();
  });

  test('is refused at an earlier migration, with what to do, and is left as it is', async () => {
    const url = await databaseBefore();
    const client = await connectSuperuser(url);
    await client.query(
      `delete from public._prisma_migrations where migration_name = '20261202012000_deleted_media'`,
    );
    const names = 'select migration_name from public._prisma_migrations order by 1';
    const before = (await client.query(names)).rows;
    await expect(migrate({ connectionString: url })).rejects.toMatchObject({
      code: 'DatabaseUnsupported',
      message: expect.stringMatching(
        /is at migration 20261202010000_media_tombstones.*takes over databases at 20261202012000_deleted_media/,
      ),
      details: { field: 'DATABASE_URL' },
    });
    expect((await client.query(names)).rows).toEqual(before);
    await client.end();
  });
});

/** Three jobs: one runs, claimed by the functions as they were, two wait. */
async function claimAsBefore(client: pg.Client): Promise<{ tenantId: string; ids: readonly string[] }> {
  await client.query(`insert into millrace.job_definitions (key) values ('alpha'), ('old_only')`);
  const { rows: tenants } = await client.query(
    `insert into millrace.tenants (slug, name) values ('a', 'A') returning id`,
  );
  const tenantId = tenants[0].id;
  const { rows } = await client.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload)
     select $1, d.id, '{}' from millrace.job_definitions d, generate_series(1, 3) where d.key = 'alpha' returning id`,
    [tenantId],
  );
  const ids = rows.map(({ id }) => id as string);
  await client.query(
    `select millrace.begin_runs(array[$1::uuid], 'w-before', gen_random_uuid(), clock_timestamp(), array[$1::uuid])`,
    [ids[0]],
  );
  return { tenantId, ids };
}

async function finishAfter(url: string, tenantId: string, ids: readonly string[]): Promise<void> {
  const database: Database = openDatabase(url, 4);
  const notifier: Notifier = createNotifier({ connectionString: url, log: silentLog });
  const superuser = await connectSuperuser(url);
  try {
    const definitions = await syncDefinitions(database, [alpha]);
    const queue = createPostgresQueue(database, notifier, definitions, { pipelines: testPipelines });
    const { rows: running } = await superuser.query(
      `select id, run_no, lease_token from millrace.jobs where status = 'running'`,
    );
    expect(running.map(({ id }) => id)).toEqual([ids[0]]);
    const one = running[0];
    await superuser.query(
      `select * from millrace.succeed_runs(array[$1::uuid], array[$2::integer], array[$3::uuid], array['1'::jsonb], array[extract(epoch from now())::float8], array[5], array[5])`,
      [one.id, one.run_no, one.lease_token],
    );
    const [added] = await queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: 1 }]);
    const claimed = await superuser.query(
      `select (c).id from (select millrace.claim_jobs('w-after', array(select id from millrace.job_definitions where key = 'alpha'), 10, 0, '{}',
         null, null, 0, 100, '{}', '{}', '{}', '{}', '{}', '{}', false) c) x where (c).id is not null`,
    );
    expect(claimed.rows.map(({ id }) => id).sort()).toEqual([ids[1], ids[2], added?.id].sort());
    const { rows } = await superuser.query(
      'select status, count(*)::int as n from millrace.jobs group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: 'running', n: 3 },
      { status: 'succeeded', n: 1 },
    ]);
  } finally {
    await superuser.end();
    await notifier.close();
    await database.close();
  }
}
