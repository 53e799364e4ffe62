import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate/migrate.ts';
import { createNotifier } from '../../../src/db/notifier.ts';
import { createPostgresQueue } from '../../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../../src/queue/sync-definitions.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { startTestCluster, type TestCluster } from '../../support/postgres.ts';
import { openDatabase, silentLog } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from '../runtime/support/definitions.ts';
import { WorkerProcesses } from '../runtime/support/worker-process.ts';

const TENANT = '00000000-0000-0000-0000-000000000000';
/** Longer than the lease of `patient` (4 s), shorter than that of `steady` (10 s). */
const OUTAGE_MS = 5_000;

let cluster: TestCluster;
let processes: WorkerProcesses;
let db: Database;

// Of each try its own: a database that a failed one left would be judged with it.
beforeEach(async () => {
  cluster = await startTestCluster({ settings: { full_page_writes: 'on' } });
  await migrate({ connectionString: cluster.url });
  processes = await WorkerProcesses.open();
  db = openDatabase(cluster.url);
});
afterEach(async () => {
  await processes.close();
  await db.close();
  await cluster.remove();
});

/** A client each time: the outage ends every one. */
async function ask(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function leaderPid(): Promise<number | undefined> {
  const [row] = await ask(
    `select split_part(holder, ':', 2)::integer as pid from millrace.maintenance_leader where expires_at > clock_timestamp()`,
  );
  return row?.['pid'] as number | undefined;
}

test('workers and their leader outlive an outage of the database, lose no job to it, and go on by themselves', async () => {
  const notifier = createNotifier({ connectionString: cluster.url, log: silentLog });
  const queue = createPostgresQueue(db, notifier, await syncDefinitions(db, definitions), {
    pipelines: testPipelines,
  });
  // An idle worker notices work by its notifier alone: it looks by itself once in ten minutes.
  const all = await Promise.all([1, 2].map(() => processes.start(cluster.url, { pollMs: 600_000 })));
  const enqueue = async (definitionKey: string, payload: object): Promise<string> => {
    const [job] = await queue.enqueue(TENANT, [{ definitionKey, payload }]);
    return job?.id ?? '';
  };
  const started = (id: string, runNo: number) =>
    waitFor(
      () =>
        all.find(({ events }) =>
          events.some((e) => e.event === 'started' && e.jobId === id && e.runNo === runNo),
        ),
      { describe: `run ${runNo} of ${id} to start` },
    );
  // Half of them end while the database is away, half after it is back.
  const running = [
    await enqueue('patient', { do: 'wait', ms: OUTAGE_MS / 2 }),
    await enqueue('steady', { do: 'wait', ms: OUTAGE_MS / 2 }),
    await enqueue('patient', { do: 'wait', ms: 1.8 * OUTAGE_MS }),
    await enqueue('steady', { do: 'wait', ms: 1.8 * OUTAGE_MS }),
  ];
  for (const id of running) await started(id, 1);
  await waitFor(leaderPid, { describe: 'somebody to lead' });

  await cluster.crash();
  await sleep(OUTAGE_MS);
  await cluster.restart('immediate');

  let ends: readonly Record<string, unknown>[] = [];
  await waitFor(
    async () => {
      ends = await ask(
        'select status, run_no, lost_lease_count, attempt_count, last_error from millrace.jobs where id = any ($1)',
        [running],
      );
      return ends.every(
        (job) => job['status'] === 'succeeded' && job['run_no'] === 1 && job['attempt_count'] === 0,
      );
    },
    {
      describe: () => `every job to succeed in its first run: ${JSON.stringify(ends)}`,
      pollMs: 100,
    },
  );
  expect(
    await ask(`select 1 from millrace.job_attempts where status = 'lost' and job_id = any ($1)`, [running]),
  ).toEqual([]);
  expect(all.map(({ child }) => child.exitCode)).toEqual([null, null]);

  // Notifications are heard again, and somebody leads: a job of a killed leader is rescued by the other.
  const id = await waitFor(
    () => enqueue('task', { do: 'wait', ms: 600_000, onlyFirstRun: true }).catch(() => ''),
    {
      describe: 'the database to take a job',
    },
  );
  const runner = await started(id, 1);
  runner.kill('SIGKILL');
  const left = all.find((process) => process !== runner);
  await waitFor(async () => (await leaderPid()) === left?.child.pid, {
    describe: 'the other process to lead',
  });
  // A starved machine may lose this lease of 2 s again before the handler begins: any later run will do.
  let row: Record<string, unknown> | undefined;
  await waitFor(
    async () => {
      [row] = await ask(
        'select status, run_no, lost_lease_count, scheduled_for from millrace.jobs where id = $1',
        [id],
      );
      return left?.events.some((e) => e.event === 'started' && e.jobId === id && (e.runNo ?? 0) > 1);
    },
    {
      describe: () =>
        `the other process to run it; ${JSON.stringify(row)}; ${left?.logLines.slice(-20).join('\n')}`,
      pollMs: 50,
    },
  );
  await notifier.close();
});
