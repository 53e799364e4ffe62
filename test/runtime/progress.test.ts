import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bell } from '../../src/db/bell.ts';
import { ProgressBoard } from '../../workers/runtime/progress-board.ts';
import { Run } from '../../workers/runtime/run.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
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
  readonly dead: number;
}

async function figuresOf(table: string): Promise<TableFigures> {
  const { rows } = await q.superuser.query(
    `select pg_stat_force_next_flush(), n_tup_upd::int as updated, n_tup_hot_upd::int as hot, n_dead_tup::int as dead
     from pg_stat_user_tables where schemaname = 'millrace' and relname = $1`,
    [table],
  );
  return rows[0];
}

const RUNS = 200;
const ROUNDS = 8;

test('the progress of many runs changes no row of jobs, and its own rows in place', async () => {
  await q.queue.enqueue(
    tenantId,
    Array.from({ length: RUNS }, () => ({ definitionKey: 'task', payload: {} })),
  );
  const claimed = await q.claim(RUNS);
  expect(claimed).toHaveLength(RUNS);
  const runs = claimed.map((job) => new Run(job, task));
  for (const run of runs) run.begin();
  const bell: Pick<Bell, 'ring'> = { ring: () => undefined };
  const board = new ProgressBoard(q.db, bell as Bell, silentLog);
  const ids = claimed.map(({ job }) => job.id);
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
      board.note(run, { percent: 10 * round, stage: 'work', message: `round ${round}` });
    await waitFor(
      async () =>
        (
          await q.superuser.query('select count(*)::int as n from millrace.job_progress where percent = $1', [
            10 * round,
          ])
        ).rows[0].n === RUNS,
      { describe: `round ${round} to be written` },
    );
  }
  board.close();
  expect(await versions()).toEqual(before);
  const figures = await waitFor(
    async () => {
      const found = await figuresOf('job_progress');
      return found.updated >= (ROUNDS - 1) * RUNS && found;
    },
    { describe: 'the statistics' },
  );
  // All but those that a page had no room for, once.
  expect(figures.hot / figures.updated).toBeGreaterThan(0.9);
  const { rows } = await q.superuser.query(
    `select min(eta_seconds) as least, count(eta_seconds)::int as known from millrace.job_progress where job_id = any ($1)`,
    [ids],
  );
  expect(rows[0].known).toBe(RUNS);
  expect(rows[0].least).toBeGreaterThanOrEqual(0);
});
