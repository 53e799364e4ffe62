import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  API_CONNECTIONS,
  apiShares,
  WORKER_CONNECTIONS,
  workerShares,
} from '../../src/db/connection-shares.ts';
import { SessionPool } from '../../src/db/session-pool.ts';
import { connectionShortage } from '../../src/db/warn-of-connections.ts';
import { startProgram } from '../support/program.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';

// How many connections the processes of an installation open, counted in the server.

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

async function connectionsOf(names: string): Promise<number> {
  const { rows } = await q.superuser.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name ~ $1`,
    [names],
  );
  return rows[0].count;
}

/** Of a worker that has nothing to do and does not lead. */
const AT_REST = 4;
/** All of workers: their notifications go out among their statements. */
const ofWorkers = () => connectionsOf('^millrace (worker|heartbeat|worker listener)$');

test('the shares of a process are what it may open in all, and each part has one', () => {
  for (const configured of [0, 4, 6, 12, 30]) {
    const worker = workerShares(configured);
    expect(worker.transactions).toBeGreaterThan(0);
    expect(worker.statements).toBeGreaterThan(0);
    expect(worker.transactions + worker.statements + 2).toBe(configured || WORKER_CONNECTIONS);
    const api = apiShares(configured || API_CONNECTIONS);
    expect(Math.min(api.reads, api.transactions, api.statements)).toBeGreaterThan(0);
    expect(api.reads + api.transactions + api.statements + 2).toBe(
      Math.max(5, configured || API_CONNECTIONS),
    );
  }
});

test('a worker has six connections at most with all its slots busy, and twenty at rest and an API leave room in a hundred', async () => {
  const directory = await makeTempDir();
  const start = () =>
    startProgram('workers/main.ts', [], {
      DATABASE_URL: q.url,
      MILLRACE_DATA_DIR: directory,
      MILLRACE_CONCURRENCY: '20',
    });
  const workers = [start(), start()];
  try {
    for (const worker of workers)
      await waitFor(() => worker.stderr().includes('worker: started'), {
        describe: () => `the worker; ${worker.stderr()}`,
      });
    const tenantId = await q.makeTenant();
    await q.queue.enqueue(
      tenantId,
      Array.from({ length: 400 }, () => ({ definitionKey: 'echo', payload: { message: 'x' } })),
    );
    let most = 0;
    await waitFor(
      async () => {
        most = Math.max(most, await ofWorkers());
        const { rows } = await q.superuser.query(
          `select count(*)::int as open from millrace.jobs where finished_at is null`,
        );
        return rows[0].open === 0;
      },
      { describe: 'all jobs to end', pollMs: 2 },
    );
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(2 * WORKER_CONNECTIONS);
    // One of them leads, and has its duties to do: the others have four.
    await waitFor(async () => (await ofWorkers()) <= WORKER_CONNECTIONS + AT_REST, {
      describe: 'idle connections to close',
    });
    expect(WORKER_CONNECTIONS + 19 * AT_REST + API_CONNECTIONS).toBeLessThanOrEqual(97);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
  }
});

test('with no connection left on the server, who needs one waits until another closes', async () => {
  const { rows } = await q.superuser.query('select current_user as name');
  await q.superuser.query(
    `create role limited_login login connection limit 1 password 'x' in role ${rows[0].name}`,
  );
  const url = new URL(q.url);
  url.username = 'limited_login';
  url.password = 'x';
  const make = () =>
    new SessionPool({
      pool: { connectionString: url.href, max: 1, connectionTimeoutMillis: 100_000 },
      settings: {},
      isPooled: false,
    });
  const first = make();
  const second = make();
  try {
    const held = await first.connect();
    const waiting = second.query('select 1 as one');
    // The server has refused it by now, since it took this one after it.
    await q.superuser.query('select 1');
    held.release(true);
    await expect(waiting).resolves.toMatchObject({ rows: [{ one: 1 }] });
  } finally {
    await Promise.all([first.end(), second.end()]);
    await q.superuser.query('drop role limited_login');
  }
});

test('a fleet that may open more than the server takes is named with its figures', () => {
  const room = { allowed: 97, open: 20, ours: 12, workers: 10 };
  expect(connectionShortage(room, 6)).toBeNull();
  expect(connectionShortage({ ...room, workers: 20 }, 6)).toMatch(
    /20 workers and one API may open 132 .* takes 97/,
  );
  expect(connectionShortage({ ...room, open: 95 }, 6)).toMatch(/95 of 97/);
});
