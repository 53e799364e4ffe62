import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { decodeCursor, encodeCursor } from '../../src/events/cursor.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { waitFor } from '../support/wait.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

let cluster: TestCluster;

beforeAll(async () => {
  // Nothing that is not committed reaches the disk by itself: ids burned by a rollback are lost with a crash.
  cluster = await startTestCluster({ settings: { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' } });
  await migrate({ connectionString: cluster.url });
});
afterAll(() => cluster.remove());

/** Transactions that end in nothing: their ids are spent, but only in memory. */
async function burnXids(client: pg.Client, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    await client.query('rollback');
  }
}

async function connected(url: string): Promise<pg.Client> {
  return waitFor(
    async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      return client.connect().then(
        () => client,
        () => undefined,
      );
    },
    { describe: 'the server to answer', pollMs: 50 },
  );
}

async function nextXid(client: pg.Client): Promise<bigint> {
  return BigInt(
    (await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as xid')).rows[0].xid,
  );
}

/**
 * A live stream, then ids that are spent in memory only, then the blow; afterwards a transaction that gets
 * one of those ids again. Both the stream that lives through it and one that resumes by cursor must see
 * its change.
 */
async function surviveReuse(blow: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage(cluster.url);
  const ids = await stage.insertJobs(3);
  const filter = { tenantId: stage.tenantId };
  const watcher = new Watcher(stage.feed.subscribe(filter));
  await watcher.ready();
  await stage.touch(ids);
  await watcher.until(
    (one) => [...one.versions.values()].every((version) => version === 2n),
    'the first change',
  );
  await burnXids(stage.superuser, 200);
  const burnedTo = await nextXid(stage.superuser);
  // A further look of the feed, so that its memory and the cursor lie beyond the burned ids.
  const resumed = await waitFor(
    () => {
      const { position } = stage.feed;
      return position !== null && position.snapshot.xmax >= burnedTo - 1n
        ? encodeCursor(position)
        : undefined;
    },
    { describe: 'the feed to move on' },
  );
  await blow(stage);
  const client = await connected(cluster.url);
  expect(await nextXid(client)).toBeLessThan(burnedTo);
  await client.query('update millrace.jobs set priority = 7 where id = $1', [ids[1]]);
  await watcher.until((one) => one.versions.get(ids[1] ?? '') === 3n, 'the change with a reused id');
  expect(watcher.reversals).toEqual([]);
  expect(watcher.kinds).not.toContain('resync');
  const second = new Watcher(stage.feed.subscribe(filter, resumed));
  await second.until((one) => one.versions.get(ids[1] ?? '') === 3n, 'the same after resuming');
  expect(second.kinds).not.toContain('resync');
  await Promise.all([watcher.stop(), second.stop(), client.end()]);
  await stage.close();
}

test('after kill -9 of the whole server, just after a rollback, nothing is missing', async () => {
  await surviveReuse(async () => {
    await cluster.crash();
    await cluster.restart('immediate');
  });
});

test('after an immediate restart, just after a rollback, nothing is missing', async () => {
  await surviveReuse(() => cluster.restart('immediate'));
});

test('after kill -9 of one backend, which makes the server recover without a new start time, nothing is missing', async () => {
  await surviveReuse(async (stage) => {
    const { rows } = await stage.superuser.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
    await sleep(0);
    await waitFor(() => cluster.logLines.some((line) => line.includes('reinitializing')), {
      describe: 'the server to recover',
    });
  });
});

test('writes go on around restarts, and every final version arrives', async () => {
  const stage = await openStage(cluster.url);
  const ids = await stage.insertJobs(20);
  const watcher = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId }));
  await watcher.ready();
  for (const mode of ['fast', 'immediate'] as const) {
    const before = await connected(cluster.url);
    await before.query('update millrace.jobs set priority = priority + 1 where id = any ($1)', [ids]);
    await cluster.restart(mode);
    const after = await connected(cluster.url);
    await after.query('update millrace.jobs set priority = priority + 1 where id = any ($1)', [
      ids.slice(0, 5),
    ]);
    await after.end();
  }
  const client = await connected(cluster.url);
  const { rows } = await client.query('select id, version from millrace.jobs where id = any ($1)', [ids]);
  const versions = new Map(rows.map((row) => [row.id, BigInt(row.version)]));
  await watcher.until((one) => one.hasSeen(versions), 'the final versions');
  expect(watcher.reversals).toEqual([]);
  await Promise.all([watcher.stop(), client.end()]);
  await stage.close();
});

test('a cursor of another server, of another timeline or of yesterday gets a resync and then a fresh state', async () => {
  const stage = await openStage(cluster.url);
  await stage.insertJobs(2);
  const filter = { tenantId: stage.tenantId };
  const watcher = new Watcher(stage.feed.subscribe(filter));
  await watcher.ready();
  const position = decodeCursor(watcher.cursor)?.position;
  if (position === undefined) throw new Error('a position');
  const { server, takenAtMs } = position;
  const cases = [
    ['otherServer', { ...position, server: { ...server, systemId: '4711' } }],
    ['otherServer', { ...position, server: { ...server, timeline: server.timeline + 1 } }],
    ['tooOld', { ...position, takenAtMs: takenAtMs - 24 * 3_600_000 }],
  ] as const;
  for (const [reason, old] of cases) {
    const resumed = new Watcher(stage.feed.subscribe(filter, encodeCursor(old)));
    await resumed.ready();
    expect(resumed.events[0]).toEqual({ kind: 'resync', reason, cursor: null });
    expect(resumed.kinds).toEqual(['resync', 'job', 'job', 'ready']);
    await resumed.stop();
  }
  await watcher.stop();
  await stage.close();
});
