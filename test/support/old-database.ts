import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { MIGRATIONS_URL } from '../../src/db/migrate/files.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { fillWithJobs } from './million-jobs.ts';

const BASELINE = '20261203000000_baseline';

/**
 * Brings an empty database to the first migration alone, with this many jobs, as one that has not been
 * upgraded since.
 */
export async function makeOldDatabase(connectionString: string, jobCount: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-baseline-'));
  try {
    await cp(new URL(BASELINE, MIGRATIONS_URL), join(folder, 'migrations', BASELINE), { recursive: true });
    await mkdir(join(folder, 'routines'));
    await migrate({
      connectionString,
      folder: pathToFileURL(`${folder}/migrations/`),
      routines: pathToFileURL(`${folder}/routines/`),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`insert into millrace.job_definitions (key) values ('import'), ('mail'), ('report')`);
    await fillWithJobs(client, jobCount);
    await client.query('analyze millrace.jobs');
  } finally {
    await client.end();
  }
}

/** What enqueueing met while something else went on. */
export interface EnqueueFigures {
  readonly count: number;
  /** The longest that an INSERT waited for a lock of somebody else, ms; looked at every few milliseconds. */
  readonly longestBlockedMs: number;
  /** The longest INSERT in all, ms: busy disks and cores included. */
  readonly longestMs: number;
}

/** Puts jobs in one after the other, on two connections, until the work is done. */
export async function enqueueDuring(
  connectionString: string,
  work: () => Promise<unknown>,
): Promise<EnqueueFigures> {
  const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const [watcher, ...writers] = clients as [pg.Client, ...pg.Client[]];
  const { rows } = await watcher.query<{ tenant: string; definition: string }>(
    `select (select id from millrace.tenants limit 1) as tenant, (select id from millrace.job_definitions limit 1) as definition`,
  );
  const { tenant, definition } = rows[0] as { tenant: string; definition: string };
  const pids = (
    await Promise.all(writers.map((client) => client.query('select pg_backend_pid() as pid')))
  ).map(({ rows: [row] }) => row.pid as number);
  let [isOver, count, longestMs, longestBlockedMs] = [false, 0, 0, 0];
  const write = async (client: pg.Client): Promise<void> => {
    while (!isOver) {
      const startedMs = performance.now();
      await client.query(`insert into millrace.jobs (tenant_id, definition_id) values ($1, $2)`, [
        tenant,
        definition,
      ]);
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      count++;
    }
  };
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const { rows: waits } = await watcher.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as ms from pg_locks l where l.pid = any ($1) and not l.granted`,
        [pids],
      );
      longestBlockedMs = Math.max(longestBlockedMs, waits[0]?.ms ?? 0);
    }
  };
  const going = Promise.all([watch(), ...writers.map(write)]);
  try {
    await work();
  } finally {
    isOver = true;
    await going;
    await Promise.all(clients.map((client) => client.end()));
  }
  return { count, longestBlockedMs, longestMs };
}
