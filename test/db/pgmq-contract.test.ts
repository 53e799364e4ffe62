import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPgmq } from '../../src/db/migrate/pgmq.ts';
import { PostgresMaintenanceQueue } from '../../src/queue/maintenance-verbs.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { retentionDuty } from '../../workers/maintenance/retention.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openDatabase } from '../support/queue.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

let database: TestDatabase;
let sql: pg.Client;
let tenantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await connectSuperuser(database.url);
  const { rows } = await sql.query(
    `insert into millrace.tenants (slug, name) values ('shop', 'Shop') returning id`,
  );
  tenantId = rows[0].id;
  // Twice, as an upgrade does it.
  for (let time = 0; time < 2; time++)
    expect(await installPgmq({ connectionString: database.url, tenant: 'shop' })).toBe('shop');
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: rows are as the statements ask for them
async function rows(text: string, values: unknown[] = []): Promise<any[]> {
  return (await sql.query(text, values)).rows;
}
const ids = async (text: string) => (await rows(text)).map(({ msg_id, id }) => Number(msg_id ?? id));

describe('a program written for pgmq', () => {
  test('makes a queue as often as it likes, and finds it in the list', async () => {
    for (let time = 0; time < 2; time++) await rows(`select pgmq.create('made')`);
    expect(
      await rows(`select queue_name, is_partitioned, is_unlogged from pgmq.list_queues()`),
    ).toContainEqual({
      queue_name: 'made',
      is_partitioned: false,
      is_unlogged: false,
    });
    await expect(rows(`select pgmq.create(repeat('a', 48))`)).rejects.toThrow(/maximum length is 47/);
    expect(await rows(`select pgmq.format_table_name('Cat-dog', 'a') as name`)).toEqual([
      { name: 'a_cat-dog' },
    ]);
    await expect(rows(`select pgmq.format_table_name('cat;dog', 'a')`)).rejects.toThrow(/invalid characters/);
    await expect(rows(`select pgmq.create('a;b')`)).rejects.toThrow(/invalid characters/);
    await expect(rows(`select pgmq.send('nowhere', '1')`)).rejects.toMatchObject({ code: '42P01' });
  });

  test('sends, reads, and reads again once the visibility timeout has ended', async () => {
    await rows(`select pgmq.create('life')`);
    expect(
      await rows(`select * from pgmq.send('life', '{"hello": "world"}', '{"header": 1}'::jsonb)`),
    ).toEqual([{ send: '1' }]);
    const [read] = await rows(`select * from pgmq.read('life', 30, 1)`);
    expect(read).toMatchObject({
      msg_id: '1',
      read_ct: 1,
      message: { hello: 'world' },
      headers: { header: 1 },
    });
    expect(read.vt.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expect(read.enqueued_at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await rows(`select * from pgmq.read('life', 30, 1)`)).toEqual([]);
    expect(await ids(`select msg_id from pgmq.set_vt('life', 1, 0)`)).toEqual([1]);
    expect(await rows(`select read_ct from pgmq.read('life', 0, 1)`)).toEqual([{ read_ct: 2 }]);
    // vt = 0 leaves it visible.
    expect(await rows(`select read_ct from pgmq.read('life', 2, 1, '{"hello": "world"}')`)).toEqual([
      { read_ct: 3 },
    ]);
    expect(await rows(`select * from pgmq.set_vt('life', 9999, 0)`)).toEqual([]);
  });

  test('reads by a condition', async () => {
    await rows(`select pgmq.create('conditional')`);
    await rows(`select pgmq.send_batch('conditional', array['{"a": 1}', '{"a": 2, "b": 3}']::jsonb[])`);
    expect(await ids(`select msg_id from pgmq.read('conditional', 30, 5, '{"a": 2}')`)).toEqual([2]);
    expect(await ids(`select msg_id from pgmq.read('conditional', 30, 5, '{"a": 9}')`)).toEqual([]);
  });

  test('delays messages, and polls for them', async () => {
    await rows(`select pgmq.create('delayed')`);
    await rows(`select pgmq.send('delayed', '1', 1)`);
    await rows(`select pgmq.send('delayed', '2', clock_timestamp() + interval '1 hour')`);
    expect(await ids(`select msg_id from pgmq.read('delayed', 30, 5)`)).toEqual([]);
    expect(await ids(`select msg_id from pgmq.read_with_poll('delayed', 30, 5, 20, 50)`)).toEqual([1]);
    expect(await ids(`select msg_id from pgmq.read_with_poll('delayed', 30, 5, 1, 50)`)).toEqual([]);
  });

  test('sends batches in order, with and without headers', async () => {
    await rows(`select pgmq.create('batch')`);
    expect(
      await ids(
        `select send_batch as id from pgmq.send_batch('batch', array['{"n": 0}', '{"n": 1}']::jsonb[], array['{"h": 1}', '{"h": 2}']::jsonb[])`,
      ),
    ).toEqual([1, 2]);
    expect(
      await ids(`select send_batch as id from pgmq.send_batch('batch', array['3', '4']::jsonb[], 0)`),
    ).toEqual([3, 4]);
    expect(await rows(`select msg_id, message, headers from pgmq.read('batch', 30, 3)`)).toEqual([
      { msg_id: '1', message: { n: 0 }, headers: { h: 1 } },
      { msg_id: '2', message: { n: 1 }, headers: { h: 2 } },
      { msg_id: '3', message: 3, headers: null },
    ]);
    expect(await ids(`select msg_id from pgmq.read('batch', 30, 3)`)).toEqual([4]);
  });

  test('pops, deletes and archives, each message once', async () => {
    await rows(`select pgmq.create('ends')`);
    await rows(`select pgmq.send_batch('ends', array['1', '2', '3', '4', '5']::jsonb[])`);
    expect(await ids(`select msg_id from pgmq.pop('ends')`)).toEqual([1]);
    expect(await rows(`select pgmq.delete('ends', 2) as a, pgmq.delete('ends', 1) as b`)).toEqual([
      { a: true, b: false },
    ]);
    expect(await rows(`select pgmq.archive('ends', 3) as a, pgmq.archive('ends', 3) as b`)).toEqual([
      { a: true, b: false },
    ]);
    expect(await ids(`select archive as id from pgmq.archive('ends', array[4, -3, 3]::bigint[])`)).toEqual([
      4,
    ]);
    expect(await ids(`select "delete" as id from pgmq.delete('ends', array[5, 77]::bigint[])`)).toEqual([5]);
    expect(await rows(`select count(*)::int from pgmq.q_ends`)).toEqual([{ count: 0 }]);
    expect(
      await rows(
        `select msg_id, message, archived_at is not null as archived from pgmq.a_ends order by msg_id`,
      ),
    ).toEqual([
      { msg_id: '3', message: 3, archived: true },
      { msg_id: '4', message: 4, archived: true },
    ]);
    expect(await rows(`select * from pgmq.pop('ends')`)).toEqual([]);
  });

  test('is shown metrics, purges and drops', async () => {
    await rows(`select pgmq.create('figures')`);
    await rows(
      `select pgmq.send_batch('figures', array['1', '2', '3']::jsonb[]), pgmq.send_batch('figures', array['4', '5']::jsonb[], 3600)`,
    );
    await rows(`select pgmq.archive('figures', 1)`);
    const [figures] = await rows(`select * from pgmq.metrics('figures')`);
    expect(figures).toMatchObject({
      queue_name: 'figures',
      queue_length: '4',
      total_messages: '5',
      queue_visible_length: '2',
    });
    expect((await rows(`select queue_name from pgmq.metrics_all()`)).map((row) => row.queue_name)).toContain(
      'figures',
    );
    expect(await rows(`select pgmq.purge_queue('figures')`)).toEqual([{ purge_queue: '4' }]);
    expect(await rows(`select pgmq.drop_queue('figures') as a, pgmq.drop_queue('figures') as b`)).toEqual([
      { a: true, b: false },
    ]);
    await expect(rows(`select * from pgmq.q_figures`)).rejects.toMatchObject({ code: '42P01' });
    // The name is free again, and counts from 1.
    await rows(`select pgmq.create('figures')`);
    expect(await ids(`select send as id from pgmq.send('figures', '1')`)).toEqual([1]);
  });

  test('names queues with hyphens and capitals, and injects nothing', async () => {
    await rows(`select pgmq.create('queue-hyphened'), pgmq.create('QueueCased')`);
    await rows(`select pgmq.send('queue-hyphened', '1'), pgmq.send('QueueCased', '2')`);
    expect(await rows(`select message from pgmq.read('QueueCased', 1, 1)`)).toEqual([{ message: 2 }]);
    expect(await rows(`select pgmq.archive('queue-hyphened', 1) as a`)).toEqual([{ a: true }]);
    await rows(`select pgmq.create_unlogged('Unlogged')`);
    // Listed as they were named, and measured by the name that is asked for.
    expect(
      await rows(
        `select queue_name, is_unlogged from pgmq.list_queues() where queue_name in ('QueueCased', 'Unlogged') order by 1`,
      ),
    ).toEqual([
      { queue_name: 'QueueCased', is_unlogged: false },
      { queue_name: 'Unlogged', is_unlogged: true },
    ]);
    expect(await rows(`select queue_name, queue_length from pgmq.metrics('QueueCased')`)).toEqual([
      { queue_name: 'QueueCased', queue_length: '1' },
    ]);
    await expect(rows(`select pgmq.delete('abc where false; drop table x', 1)`)).rejects.toMatchObject({
      code: '42P01',
    });
  });

  test('that waits in read_with_poll gets what another sends meanwhile', async () => {
    await rows(`select pgmq.create('awaited')`);
    const reader = await connectSuperuser(database.url);
    const read = reader.query(`select msg_id, message from pgmq.read_with_poll('awaited', 30, 5, 60, 20)`);
    await waitFor(
      async () =>
        (
          await rows(
            `select from pg_stat_activity where query like '%read_with_poll(''awaited''%' and wait_event = 'PgSleep'`,
          )
        ).length > 0,
      { describe: 'the reader to wait' },
    );
    await rows(`select pgmq.send('awaited', '"now"')`);
    expect((await read).rows).toEqual([{ msg_id: '1', message: 'now' }]);
    await reader.end();
  });

  test('that listens to a queue is woken by what is sent, at most as often as it asked', async () => {
    await rows(`select pgmq.create('Heard'), pgmq.create('unheard')`);
    await rows(`select pgmq.enable_notify_insert('Heard', 3600000)`);
    const listener = await connectSuperuser(database.url);
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query('listen "pgmq.q_heard.INSERT"; listen "pgmq.q_unheard.INSERT"');
    await rows(`select pgmq.send('unheard', '1'), pgmq.send('Heard', '1'), pgmq.send('Heard', '2')`);
    await waitFor(() => heard.length > 0, { describe: 'the listener to hear' });
    await rows(`select pgmq.send('Heard', '3')`);
    expect(
      await rows(`select queue_name, throttle_interval_ms, last_notified_at > now() - interval '1 minute' as is_recent
                  from pgmq.list_notify_insert_throttles()`),
    ).toEqual([{ queue_name: 'Heard', throttle_interval_ms: 3_600_000, is_recent: true }]);
    await rows(`select pgmq.update_notify_insert('Heard', 0)`);
    await rows(`select pgmq.send_batch('Heard', array['4', '5']::jsonb[])`);
    await waitFor(() => heard.length > 1, { describe: 'the listener to hear again' });
    await rows(`select pgmq.disable_notify_insert('Heard')`);
    await rows(`select pgmq.send('Heard', '6')`);
    await listener.query('select 1');
    expect(heard).toEqual(['pgmq.q_heard.INSERT', 'pgmq.q_heard.INSERT']);
    await expect(rows(`select pgmq.enable_notify_insert('Heard', -1)`)).rejects.toMatchObject({
      code: '22023',
    });
    await listener.end();
  });

  test('gives each message to one of many readers', async () => {
    await rows(`select pgmq.create('shared')`);
    await rows(`select pgmq.send_batch('shared', array(select to_jsonb(n) from generate_series(1, 200) n))`);
    const clients = await Promise.all([1, 2, 3, 4].map(() => connectSuperuser(database.url)));
    const got: number[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (;;) {
          const { rows: read } = await client.query(`select msg_id from pgmq.read('shared', 60, 7)`);
          if (read.length === 0) return;
          got.push(...read.map(({ msg_id }) => Number(msg_id)));
        }
      }),
    );
    await Promise.all(clients.map((client) => client.end()));
    expect(got.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });
});

describe('a message', () => {
  test('is a job: it waits, is delayed while it is read, and has succeeded once it is archived', async () => {
    await rows(`select pgmq.create('jobs')`);
    await rows(`select pgmq.send('jobs', '{"a": 1}')`);
    const job = async () =>
      (
        await rows(
          `select j.status, j.payload, j.is_delayed, j.created_by from millrace.jobs j
           join millrace.job_definitions d on d.id = j.definition_id where d.key = 'pgmq.jobs' and j.tenant_id = $1`,
          [tenantId],
        )
      )[0];
    expect(await job()).toMatchObject({ status: 'queued', payload: { a: 1 }, is_delayed: false });
    await rows(`select pgmq.read('jobs', 60, 1)`);
    expect(await job()).toMatchObject({ status: 'queued', is_delayed: true });
    await rows(`select pgmq.archive('jobs', 1)`);
    expect(await job()).toMatchObject({ status: 'succeeded' });
  });

  test('that is archived is kept as long as ended jobs are, and gone with them', async () => {
    await rows(`select pgmq.create('kept')`);
    await rows(`select pgmq.send_batch('kept', array['1', '2', '3']::jsonb[])`);
    await rows(`select pgmq.archive('kept', array[1, 2]::bigint[])`);
    // The rules of moves are set aside: a week passes.
    await rows(
      `begin; set local session_replication_role = replica;
       update millrace.jobs set finished_at = now() - interval '8 days'
       where source_ref = '1' and definition_id = (select definition_id from pgmq.meta where queue_name = 'kept');
       commit`,
    );
    const pool = openDatabase(database.url, 1);
    const queue = new PostgresMaintenanceQueue(pool, { notify: () => undefined }, pipelinesOf([]));
    const duty = retentionDuty({ queue, defaultSeconds: 7 * 86_400 });
    await duty.run({ goOn: () => true, upSeconds: 100, pause: async () => undefined });
    await pool.close();
    expect(await ids(`select msg_id from pgmq.a_kept`)).toEqual([2]);
    expect(await ids(`select msg_id from pgmq.q_kept`)).toEqual([3]);
  });

  test('is gone with the transaction that sent it', async () => {
    await rows(`select pgmq.create('atomic')`);
    await rows('begin');
    await rows(`select pgmq.send('atomic', '1')`);
    await rows('rollback');
    expect(await rows(`select * from pgmq.read('atomic', 1, 1)`)).toEqual([]);
  });

  test('is out of reach for a transaction of another tenant', async () => {
    await rows(`select pgmq.create('private')`);
    await rows(`select pgmq.send('private', '"secret"')`);
    const other = (
      await rows(`insert into millrace.tenants (slug, name) values ('other', 'Other') returning id`)
    )[0].id;
    for (const statement of [
      `select pgmq.read('private', 1, 1)`,
      `select pgmq.send('private', '1')`,
      `select pgmq.delete('private', 1)`,
      `select pgmq.archive('private', 1)`,
      `select pgmq.pop('private')`,
      `select pgmq.metrics('private')`,
      `select pgmq.create('private')`,
    ]) {
      await rows('begin');
      await rows(`select set_config('millrace.tenant_id', $1, true)`, [other]);
      await expect(rows(statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/42P01|23505/),
      });
      await rows('rollback');
    }
    await rows('begin');
    await rows(`select set_config('millrace.tenant_id', $1, true)`, [other]);
    expect(await rows('select * from pgmq.q_private')).toEqual([]);
    expect(await rows('select * from pgmq.list_queues()')).toEqual([]);
    await rows('rollback');
  });

  test('is worked with by a login that was given the schema, and by no other', async () => {
    await rows(`create role pgmq_app; create role pgmq_stranger; grant usage on schema pgmq to pgmq_app`);
    await rows('begin');
    await rows('set local role pgmq_app');
    expect(await ids(`select send as id from pgmq.send('atomic', '1')`)).toHaveLength(1);
    await expect(rows('select * from millrace.jobs')).rejects.toMatchObject({ code: '42501' });
    await rows('rollback');
    await rows('begin');
    await rows('set local role pgmq_stranger');
    await expect(rows(`select pgmq.send('atomic', '1')`)).rejects.toMatchObject({ code: '42501' });
    await rows('rollback');
  });
});
