import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notifier } from '../../../src/db/notifier.ts';
import { ProgressWriter } from '../../../workers/runtime/progress-writer.ts';
import { Run } from '../../../workers/runtime/run.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions, task } from './support/definitions.ts';

let q: TestQueue;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

interface TableFigures {
  readonly updated: number;
  readonly hot: number;
  /**
   * Went to another page, as theirs had no room: how often depends on how long the snapshots of others keep
   * dead rows there.
   */
  readonly moved: number;
  readonly dead: number;
}

async function figuresOf(table: string): Promise<TableFigures> {
  const { rows } = await q.superuser.query(
    `select pg_stat_force_next_flush(), n_tup_upd::int as updated, n_tup_hot_upd::int as hot,
            n_tup_newpage_upd::int as moved, n_dead_tup::int as dead
     from pg_stat_user_tables where schemaname = 'millrace' and relname = $1`,
    [table],
  );
  return rows[0];
}

/** A writer on the test's database, and runs that have begun. */
async function openWriter(
  runCount: number,
): Promise<{ progressWriter: ProgressWriter; runs: readonly Run[] }> {
  await q.queue.enqueue(
    tenantId,
    Array.from({ length: runCount }, () => ({ definitionKey: 'task', payload: {} })),
  );
  const claimed = await q.claim(runCount);
  expect(claimed).toHaveLength(runCount);
  const runs = claimed.map((job) => new Run(job, task));
  for (const run of runs) run.begin();
  const notifier: Pick<Notifier, 'notify'> = { notify: () => undefined };
  return { progressWriter: new ProgressWriter(q.queue, notifier as Notifier, silentLog), runs };
}

const RUNS = 200;
const ROUNDS = 8;

/**
 * A row stays on its page where the page has room, or dead rows on it may go: those that no transaction under
 * way may still see, of whichever database of the server, as a snapshot ends at the oldest of all. Other
 * files' tests run there, and clone databases.
 */
async function deadRowsMayGo(): Promise<void> {
  await waitFor(
    async () =>
      (
        await q.superuser.query(
          `select pg_snapshot_xmin(pg_current_snapshot()) > max(changed_xid) as over from millrace.job_progress`,
        )
      ).rows[0].over,
    { describe: 'transactions of other tests that began before to end' },
  );
}

test('the progress of many runs changes no row of jobs, and its own rows in place', async () => {
  const { progressWriter, runs } = await openWriter(RUNS);
  const ids = runs.map(({ claimed }) => claimed.job.id);
  const versions = async (): Promise<unknown> =>
    (
      await q.superuser.query(
        'select id, version, xmin::text, ctid::text from millrace.jobs where id = any ($1) order by id',
        [ids],
      )
    ).rows;
  const before = await versions();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const run of runs)
      progressWriter.note(run, { percent: 10 * round, stage: 'work', message: `round ${round}` });
    await waitFor(
      async () =>
        (
          await q.superuser.query('select count(*)::int as n from millrace.job_progress where percent = $1', [
            10 * round,
          ])
        ).rows[0].n === RUNS,
      { describe: `round ${round} to be written` },
    );
    await deadRowsMayGo();
  }
  progressWriter.close();
  expect(await versions()).toEqual(before);
  const figures = await waitFor(
    async () => {
      const found = await figuresOf('job_progress');
      return found.updated >= (ROUNDS - 1) * RUNS && found;
    },
    { describe: 'the statistics' },
  );
  // All but those that a page had no room for.
  expect(figures.hot).toBe(figures.updated - figures.moved);
  expect(figures.hot / figures.updated).toBeGreaterThan(0.9);
  const { rows } = await q.superuser.query(
    `select min(eta_seconds) as least, count(eta_seconds)::int as known from millrace.job_progress where job_id = any ($1)`,
    [ids],
  );
  expect(rows[0].known).toBe(RUNS);
  expect(rows[0].least).toBeGreaterThanOrEqual(0);
});

test('what a handler says after the last word of its run is neither written nor kept', async () => {
  const { progressWriter, runs } = await openWriter(3);
  const [over, silent, other] = runs as [Run, Run, Run];
  const rowOf = async ({ claimed }: Run): Promise<unknown> =>
    (
      await q.superuser.query('select percent, stage from millrace.job_progress where job_id = $1', [
        claimed.job.id,
      ])
    ).rows[0];
  progressWriter.note(over, { percent: 10, stage: 'work' });
  await waitFor(() => rowOf(over), { describe: 'the first word to be written' });
  await progressWriter.finish(over);
  await progressWriter.finish(silent);
  // As one that was given up may, while the last lines of its log are still on their way.
  for (const run of [over, silent, other]) progressWriter.note(run, { percent: 90 });
  await waitFor(() => rowOf(other), { describe: 'what a run at work says to be written' });
  progressWriter.close();
  expect([await rowOf(over), await rowOf(silent)]).toEqual([{ percent: 10, stage: 'work' }, undefined]);
});
