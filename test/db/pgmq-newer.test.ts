import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPgmq } from '../../src/db/migrate/pgmq.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';

// What newer versions of the extension have, by the calls that its clients make.

let database: TestDatabase;
let sql: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await connectSuperuser(database.url);
  await sql.query(`insert into millrace.tenants (slug, name) values ('shop', 'Shop')`);
  await installPgmq({ connectionString: database.url, tenant: 'shop' });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: rows are as the statements ask for them
async function rows(text: string, values: unknown[] = []): Promise<any[]> {
  return (await sql.query(text, values)).rows;
}
const ids = async (text: string) => (await rows(text)).map(({ msg_id }) => Number(msg_id));

describe('a program written for a newer pgmq', () => {
  test('pops several, and moves the times of several at once', async () => {
    await rows(`select pgmq.create('several')`);
    await rows(`select pgmq.send_batch('several', array['1', '2', '3', '4']::jsonb[])`);
    expect(await ids(`select msg_id from pgmq.pop('several', 2)`)).toEqual([1, 2]);
    const [read] = await rows(
      `select last_read_at, last_read_at <= clock_timestamp() as is_past from pgmq.read('several', 60, 1)`,
    );
    expect(read.is_past).toBe(true);
    expect(await rows(`select msg_id, last_read_at from pgmq.q_several order by msg_id`)).toEqual([
      { msg_id: '3', last_read_at: read.last_read_at },
      { msg_id: '4', last_read_at: null },
    ]);
    await rows(`select pgmq.set_vt('several', array[3, 4]::bigint[], now() + interval '1 hour')`);
    expect(await ids(`select msg_id from pgmq.read('several', 60, 5)`)).toEqual([]);
    expect(
      await ids(`select msg_id from pgmq.set_vt('several', array[3, 4, 99]::bigint[], 0) order by 1`),
    ).toEqual([3, 4]);
    // By a driver that sends no types.
    expect(await rows('select msg_id from pgmq.set_vt($1, $2, $3)', ['several', 3, 60])).toEqual([
      { msg_id: '3' },
    ]);
    expect(await rows('select * from pgmq.send($1, $2, $3)', ['several', '5', 60])).toEqual([{ send: '5' }]);
    expect(await ids(`select msg_id from pgmq.read('several', 60, 5)`)).toEqual([4]);
  });

  test('makes partitioned queues as any other, whose archive is kept for the interval it gives', async () => {
    await rows(
      `select pgmq.create_partitioned('parted', '1 day', '7 days'), pgmq.create_partitioned('counted')`,
    );
    expect(
      await rows(
        `select l.queue_name, l.is_partitioned, d.retention_seconds from pgmq.list_queues() l join pgmq.meta m using (queue_name)
         join millrace.job_definitions d on d.id = m.definition_id where l.queue_name in ('parted', 'counted') order by 1`,
      ),
    ).toEqual([
      { queue_name: 'counted', is_partitioned: true, retention_seconds: null },
      { queue_name: 'parted', is_partitioned: true, retention_seconds: '604800' },
    ]);
    await rows(
      `select pgmq.convert_archive_partitioned('counted', '1 day', '1 hour'), pgmq.convert_archive_partitioned('nowhere')`,
    );
    await expect(rows(`select pgmq.create_partitioned('parted', '1 day', 'soon')`)).rejects.toMatchObject({
      code: '22023',
      column: 'retention_interval',
    });
    expect(await rows(`select pgmq.drop_queue('parted', true) as dropped`)).toEqual([{ dropped: true }]);
  });

  test('reads groups in order, and none of a group of which a message is read', async () => {
    await rows(`select pgmq.create('groups')`);
    const sent = ['a', 'a', 'b', 'b', null];
    for (const [at, group] of sent.entries())
      await rows(`select pgmq.send('groups', to_jsonb($1::int), $2::jsonb)`, [
        at + 1,
        JSON.stringify(group === null ? {} : { 'x-pgmq-group': group }),
      ]);
    const read = (name: string, qty: number) => ids(`select msg_id from pgmq.${name}('groups', 60, ${qty})`);
    expect(await read('read_grouped', 1)).toEqual([1]);
    expect(await read('read_grouped_rr', 3)).toEqual([3, 5, 4]);
    expect(await read('read_grouped_head', 5)).toEqual([]);
    await rows(`select pgmq.delete('groups', 1)`);
    expect(await read('read_grouped_head', 5)).toEqual([2]);
    expect(await ids(`select msg_id from pgmq.read_grouped_with_poll('groups', 60, 5, 1, 50)`)).toEqual([]);
  });

  test('sends by topics to each queue whose pattern matches, of its tenant alone', async () => {
    await rows(`select pgmq.create('topic-a'), pgmq.create('topic-b')`);
    await rows(
      `select pgmq.bind_topic('logs.*', 'topic-a'), pgmq.bind_topic('logs.#', 'topic-a'), pgmq.bind_topic('#.error', 'topic-b')`,
    );
    expect(
      await rows(
        `select pgmq.send_topic('logs.error', '1') as a, pgmq.send_topic('logs.info', '2') as b, pgmq.send_topic('xlogs', '3') as c`,
      ),
    ).toEqual([{ a: 2, b: 1, c: 0 }]);
    expect(
      await rows(`select queue_name from pgmq.send_batch_topic('app.error', array['4', '5']::jsonb[])`),
    ).toHaveLength(2);
    expect(
      await rows(
        `select pgmq.unbind_topic('#.error', 'topic-b') as a, pgmq.unbind_topic('#.error', 'topic-b') as b`,
      ),
    ).toEqual([{ a: true, b: false }]);
    expect(
      await rows(`select queue_name, pattern from pgmq.list_topic_bindings() order by pattern`),
    ).toHaveLength(2);
    for (const wrong of [`send_topic('logs..error', '1')`, `bind_topic('logs.**', 'topic-a')`])
      await expect(rows(`select pgmq.${wrong}`)).rejects.toMatchObject({ code: '22023' });
    await rows('begin');
    await rows(`select set_config('millrace.tenant_id', gen_random_uuid()::text, true)`);
    expect(await rows(`select pgmq.send_topic('logs.error', '1') as sent`)).toEqual([{ sent: 0 }]);
    await rows('rollback');
  });
});
