import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { createNotifier } from '../../src/db/notifier.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { testPipelines } from '../support/pipelines.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { alpha, openDatabase } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

// A cluster whose queue of notifications is as small as Postgres allows, filled by notifications that one
// session has not read.

let cluster: TestCluster;
let superuser: pg.Client;
let holder: pg.Client;
let tenantId: string;

const usage = async (): Promise<number> =>
  (await superuser.query('select pg_notification_queue_usage() as usage')).rows[0].usage;

/** Listens, and keeps a transaction open: nothing that is notified from now on can be freed. */
async function hold(): Promise<void> {
  holder = new pg.Client({ connectionString: cluster.url });
  await holder.connect();
  await holder.query('listen anything');
  await holder.query('begin');
  await holder.query('select 1');
}

async function fill(): Promise<void> {
  const payload = 'x'.repeat(7_900);
  for (let round = 0; ; round++) {
    const sent = await superuser
      .query(`select count(pg_notify('other', g || $1)) from generate_series(1, 10) g`, [payload])
      .then(
        () => true,
        () => false,
      );
    if (!sent) return;
    if (round > 10_000) throw new Error('the queue of notifications does not fill');
  }
}

beforeAll(async () => {
  cluster = await startTestCluster({ settings: { max_notify_queue_pages: '64' } });
  await migrate({ connectionString: cluster.url });
  superuser = new pg.Client({ connectionString: cluster.url });
  await superuser.connect();
  tenantId = (
    await superuser.query(`insert into millrace.tenants (slug, name) values ('demo', 'Demo') returning id`)
  ).rows[0].id;
});
afterAll(async () => {
  await holder?.end();
  await superuser?.end();
  await cluster?.remove();
});

describe('while the queue of notifications is full', () => {
  it('every write succeeds, wakes nobody, and says so; once it is free, everybody is woken again', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const db = openDatabase(cluster.url);
    const notifier = createNotifier({ connectionString: cluster.url, log });
    const definitions = await syncDefinitions(db, [alpha]);
    const queue = createPostgresQueue(db, notifier, definitions, { pipelines: testPipelines });
    try {
      await hold();
      await fill();
      expect(await usage()).toBeGreaterThan(0.9);

      // One by one (whose statement may notify by itself), in bulk, with a dedupe key, and by SQL.
      for (let no = 0; no < 5; no++) {
        const [result] = await queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: { no } }]);
        expect(result?.kind).toBe('created');
      }
      const many = await queue.enqueue(
        tenantId,
        Array.from({ length: 20 }, (_, no) => ({
          definitionKey: 'alpha',
          payload: { no },
          dedupeKey: `many-${no}`,
        })),
      );
      expect(many.map(({ kind }) => kind)).toEqual(many.map(() => 'created'));
      const bySql = await superuser.query(`select kind from millrace.enqueue('alpha', tenant => 'demo')`);
      expect(bySql.rows).toEqual([{ kind: 'created' }]);
      await superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'alpha'`,
        [tenantId],
      );
      await superuser.query(
        `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'ann', 'member')`,
        [tenantId],
      );
      await superuser.query(`update millrace.tenants set deleted_at = now() where id = $1`, [tenantId]);
      await superuser.query(`update millrace.tenants set deleted_at = null where id = $1`, [tenantId]);

      const lost = notifier.lostCount;
      notifier.notify(WATCH_CHANNEL);
      await waitFor(() => notifier.lostCount > lost, { describe: 'the notifier to find the queue full' });
      expect(lines.join()).toContain('nobody is woken');

      await holder.end();
      const sent = notifier.sentCount;
      await waitFor(
        () => {
          notifier.notify(WATCH_CHANNEL);
          return notifier.sentCount > sent;
        },
        {
          describe: 'the notification to be sent again, which asking for the usage alone brings about',
          pollMs: 100,
        },
      );
      expect(await usage()).toBeLessThan(0.5);
      expect(lines.join()).toContain('wakes others again');
    } finally {
      await notifier.close();
      await db.close();
    }
  });
});
