import { setTimeout as sleep } from 'node:timers/promises';
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
import { definitions } from './support/definitions.ts';
import { WorkerProcesses } from './support/worker-process.ts';

const JOBS = 250;
const TENANT = '00000000-0000-0000-0000-000000000000';

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

async function countJobs(where: string): Promise<number> {
  return db.transaction({ role: 'worker', readOnly: true }, async ({ client }) => {
    const { rows } = await client.query(`select count(*)::integer as n from millrace.jobs where ${where}`);
    return rows[0].n;
  });
}

test('a crash of the database under load of small jobs loses no job, no lease and no settlement', async () => {
  const notifier = createNotifier({ connectionString: cluster.url, log: silentLog });
  const queue = createPostgresQueue(db, notifier, await syncDefinitions(db, definitions), {
    pipelines: testPipelines,
  });
  await processes.start(cluster.url, {}, { workers: 1 });
  await processes.start(cluster.url, {}, { workers: 1 });

  let enqueued = 0;
  const producing = (async () => {
    while (enqueued < JOBS) {
      const input = {
        definitionKey: 'steady',
        // One in five takes a while, so that some are under way at any moment.
        payload: enqueued % 5 === 0 ? { do: 'wait', ms: 300 } : { do: 'quick' },
        dedupeKey: `job-${enqueued}`,
        correlationId: `job-${enqueued}`,
      };
      // The key is held while the job is active: a try whose answer was lost is not enqueued twice, unless it
      // has ended.
      const known = await countJobs(`correlation_id = 'job-${enqueued}'`).catch(() => undefined);
      if (known === undefined) await sleep(50);
      else if (known === 1) enqueued++;
      else await queue.enqueue(TENANT, [input]).catch(() => sleep(50));
    }
  })();
  await waitFor(() => enqueued > JOBS / 4, {
    describe: 'a quarter of the jobs to be enqueued',
  });
  await cluster.restart('immediate');
  await waitFor(() => enqueued > JOBS / 2, {
    describe: 'half of the jobs to be enqueued',
  });
  await cluster.restart('immediate');
  await producing;
  await waitFor(async () => (await countJobs("status = 'succeeded'").catch(() => 0)) === JOBS, {
    describe: 'every job to succeed',
  });

  await db.transaction({ role: 'worker', readOnly: true }, async ({ client }) => {
    const { rows } = await client.query(`
      select j.id, j.run_no, j.lost_lease_count, j.attempt_count, array_agg(a.status) as attempts, max(a.attempt_no) as settled_run
      from millrace.jobs j left join millrace.job_attempts a on a.job_id = j.id group by j.id`);
    expect(rows).toHaveLength(JOBS);
    // One settlement each, of the last run; a lost lease would have left an attempt of its own.
    for (const row of rows) {
      expect(row).toMatchObject({
        lost_lease_count: 0,
        attempt_count: 0,
        attempts: ['succeeded'],
        settled_run: row.run_no,
      });
    }
    const witnessed = new Set(await processes.witnessed());
    for (const row of rows) expect(witnessed).toContain(`${row.id}.${row.run_no}`);
  });
  await notifier.close();
});
