import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from '../runtime/support/definitions.ts';
import { MaintenanceProcesses } from '../runtime/support/maintenance-process.ts';
import { type WorkerProcess, WorkerProcesses } from '../runtime/support/worker-process.ts';

let q: TestQueue;
let processes: WorkerProcesses;
const leaders = new MaintenanceProcesses();

beforeEach(async () => {
  q = await openTestQueue(definitions);
  processes = await WorkerProcesses.open();
});
afterEach(async () => {
  await leaders.close();
  await processes.close();
  await q.close();
});

test('a job that took four workers down is not given to a fifth: it is dead, says why, and stays readable with all its runs', async () => {
  const tenantId = await q.makeTenant();
  // It leads as long as no worker is there, and goes on leading: no victim's death is a wait for another
  // leader.
  leaders.start(q.url);
  await waitFor(
    async () => (await q.superuser.query('select from millrace.maintenance_leader where term > 0')).rowCount,
    { describe: 'somebody to lead' },
  );
  // Of both kinds: those that are up and those that somebody starts in place of the dead.
  const all: WorkerProcess[] = await Promise.all([processes.start(q.url), processes.start(q.url)]);
  const starting: Promise<unknown>[] = [];
  // A lease of 2 s. Its budget would be good for more runs: it is the number of lost leases that ends it.
  const [job] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'task', payload: { do: 'wait', ms: 600_000 }, maxAttempts: 10 },
  ]);
  const id = job?.id ?? '';
  for (let runNo = 1; runNo <= 4; runNo++) {
    const victim = await waitFor(
      () =>
        all.find(({ events }) =>
          events.some((seen) => seen.event === 'started' && seen.jobId === id && seen.runNo === runNo),
        ),
      { describe: `run ${runNo} to start` },
    );
    victim.kill('SIGKILL');
    // Five see the job: the last one to give it up.
    if (runNo < 4) starting.push(processes.start(q.url).then((process) => all.push(process)));
  }
  const dead = await waitFor(
    async () => {
      const row = await q.job(id);
      return row['status'] === 'dead_letter' ? row : undefined;
    },
    { describe: 'the job to be given up' },
  );
  await Promise.all(starting);

  // The fifth claim ended it without calling the handler.
  expect(dead).toMatchObject({ run_no: 5, attempt_count: 4, lease_token: null });
  expect(dead['last_error']).toMatchObject({
    type: 'PoisonPill',
    message: expect.stringMatching(
      /^4 runs in a row lost their lease \(the worker died or hung\); it is not run again\. .*stopped renewing its lease in run 4/,
    ),
  });
  expect((await processes.witnessed()).toSorted()).toEqual([1, 2, 3, 4].map((runNo) => `${id}.${runNo}`));
  const { rows: attempts } = await q.superuser.query(
    `select attempt_no, status from millrace.job_attempts where job_id = $1 and status = 'lost' order by 1`,
    [id],
  );
  expect(attempts).toEqual([1, 2, 3, 4].map((attempt_no) => ({ attempt_no, status: 'lost' })));
  const { rows: used } = await q.superuser.query(
    `select attempt_no, wall_ms from millrace.usage_events where job_id = $1 and outcome = 'lost' order by 1`,
    [id],
  );
  expect(used.map((row) => row.attempt_no)).toEqual([1, 2, 3, 4]);
  for (const { wall_ms } of used) expect(wall_ms).toBeGreaterThanOrEqual(1_900);
});
