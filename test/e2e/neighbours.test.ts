import { afterEach, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import { type Deed, deedOf, Fleet } from './deeds.ts';

let q: TestQueue;
let fleet: Fleet;

async function open(leaseSeconds: number): Promise<void> {
  q = await openTestQueue([deedOf(leaseSeconds)]);
  fleet = await Fleet.open(await makeTempDir(), q.url, leaseSeconds);
}
afterEach(async () => {
  await fleet.close();
  await q.close();
});

async function enqueue(tenantId: string, payload: Deed, maxAttempts?: number): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'deed', payload, ...(maxAttempts !== undefined && { maxAttempts }) },
  ]);
  return job?.id ?? '';
}

/** Their rows once all are final. */
async function ends(ids: readonly string[]): Promise<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = [];
  return await waitFor(
    async () => {
      rows = await Promise.all(ids.map((id) => q.job(id)));
      return rows.every((row) => row['finished_at'] !== null) && rows;
    },
    {
      describe: () =>
        `all jobs to end: ${JSON.stringify(rows.map(({ status, run_no, attempt_count, lost_lease_count, last_error }) => ({ status, run_no, attempt_count, lost_lease_count, last_error })))}\n${fleet.log().slice(-3_000)}`,
      pollMs: 100,
    },
  );
}

test.each([1, 2])(
  'with %i workers, jobs beside one that kills its worker are charged nothing and succeed',
  async (workers) => {
    await open(2);
    const [evil, good] = [await q.makeTenant(), await q.makeTenant()];
    const killer = await enqueue(evil, { do: 'kill', ms: 300 });
    const others: string[] = [];
    for (let n = 0; n < 6; n++) others.push(await enqueue(good, { do: 'wait', ms: 1_000 }, 1));
    for (let n = 0; n < workers; n++) fleet.keepOne();

    const [dead, ...rest] = await ends([killer, ...others]);
    const facts = rest.map(({ status, attempt_count }) => ({ status, attempt_count }));
    expect(facts).toEqual(others.map(() => ({ status: 'succeeded', attempt_count: 0 })));
    expect(dead).toMatchObject({ status: 'dead_letter', attempt_count: dead?.['max_attempts'] });
    // Charged only for the deaths that it was alone in: nobody beside it had begun in its process and not
    // ended.
    const said = await fleet.witnessed();
    const deaths = said.filter(({ jobId, event }) => jobId === killer && event === 'began');
    const alone = deaths.filter(
      ({ pid }) =>
        !said.some(
          (one) =>
            one.pid === pid &&
            one.jobId !== killer &&
            one.event === 'began' &&
            !said.some(
              (end) =>
                end.event === 'ended' &&
                end.pid === pid &&
                end.jobId === one.jobId &&
                end.runNo === one.runNo,
            ),
        ),
    );
    expect(alone.length).toBeGreaterThanOrEqual(dead?.['attempt_count'] as number);
  },
  200_000,
);

test('a job whose worker dies is run again although no worker lives as long as its lease', async () => {
  await open(4);
  const tenantId = await q.makeTenant();
  const job = await enqueue(tenantId, { do: 'wait', ms: 600_000, onlyFirstRun: true });
  let isOver = false;
  const dying = (async () => {
    while (!isOver) {
      const worker = fleet.start();
      await waitFor(() => worker.stderr().includes('worker: started') || worker.child.exitCode !== null, {
        describe: 'a worker to start',
      });
      // No condition to wait for: it is the time that a worker lives, less than the lease.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      // The run that ends the job is no part of this: a worker that is busy with it may finish. One that has
      // not begun the first run yet makes room for another.
      if (((await q.job(job))['run_no'] as number) > 1) return;
      await worker.kill();
    }
  })();
  try {
    const [row] = await ends([job]);
    expect(row?.['run_no']).toBeGreaterThan(1);
    // Each death is charged; a worker may have begun another run between the look at it and its death.
    expect(row).toMatchObject({ status: 'succeeded', attempt_count: (row?.['run_no'] as number) - 1 });
  } finally {
    isOver = true;
    await dying;
  }
});

test.each([
  ['stray', 'left behind'],
  ['throwLater', 'thrown by a timer'],
] as const)(
  'after an error that a job (%s) leaves behind its worker says whose it was, hands the others back unspent and exits',
  async (deed, message) => {
    await open(30);
    const tenantId = await q.makeTenant();
    const other = await enqueue(tenantId, { do: 'wait', ms: 600_000 });
    const worker = fleet.start();
    await waitFor(async () => (await fleet.witnessed()).length === 1, {
      describe: 'the other job to run',
    });
    const guilty = await enqueue(tenantId, { do: deed, ms: 300 });
    expect(await worker.ended(60_000)).toBe(1);

    expect(await q.job(guilty)).toMatchObject({ status: 'succeeded' });
    expect(await q.job(other)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      lost_lease_count: 0,
      last_error: null,
    });
    const lines = worker
      .stderr()
      .split('\n')
      .filter((line) => line.includes('left an error behind'))
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 60,
      job_id: guilty,
      definition_key: 'deed',
      has_ended: true,
      err: { message },
    });
  },
  150_000,
);

test('a job that still runs when its stray error ends the worker fails with that error', async () => {
  await open(30);
  const tenantId = await q.makeTenant();
  const guilty = await enqueue(tenantId, { do: 'strayWait', ms: 100 }, 1);
  expect(await fleet.start().ended(60_000)).toBe(1);
  expect(await q.job(guilty)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 1,
    lost_lease_count: 0,
    last_error: { type: 'Error', message: 'left behind' },
  });
});

test('with MILLRACE_ON_STRAY_ERROR=continue the error is logged and all go on', async () => {
  await open(30);
  const tenantId = await q.makeTenant();
  const other = await enqueue(tenantId, { do: 'wait', ms: 4_000 });
  const guilty = await enqueue(tenantId, { do: 'stray', ms: 100 });
  const worker = fleet.start({ MILLRACE_ON_STRAY_ERROR: 'continue' });
  for (const row of await ends([other, guilty]))
    expect(row).toMatchObject({ status: 'succeeded', run_no: 1 });
  await waitFor(() => worker.stderr().includes('left an error behind'), {
    describe: 'the error to be logged',
  });
  expect(worker.stderr()).toContain(guilty);
  expect(worker.child.exitCode).toBe(null);
});
