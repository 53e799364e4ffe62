import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobStatus } from '../../src/core/job.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { Replica } from './replica.ts';
import { CLAIM, openStage, type Stage, SUCCEED } from './stage.ts';

let database: TestDatabase;
let stage: Stage;
let holder: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  // So few that a handful of changes is too many for one who stalls.
  stage = await openStage(database.url, { maxPending: 5, pollIntervalMs: 100 });
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await stage.close();
  await database.drop();
});

const ACTIVE: readonly JobStatus[] = ['queued', 'running'];

/** One tenant's jobs, with everything that happens to them and to those who watch. */
class Play {
  readonly tenantId: string;
  readonly replicas: readonly Replica[];
  #isHolding = false;

  constructor(tenantId: string) {
    this.tenantId = tenantId;
    this.replicas = [
      new Replica(stage.feed, { tenantId }),
      new Replica(stage.feed, { tenantId, statuses: ACTIVE }),
    ];
  }

  async insert(count: number): Promise<void> {
    await stage.superuser.query(
      'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3::integer)',
      [this.tenantId, stage.definitionId, count],
    );
  }

  /**
   * Runs SQL on some jobs that have one of these statuses; those that an open transaction holds are left
   * alone.
   */
  async change(sql: string, statuses: readonly JobStatus[], count: number): Promise<void> {
    await stage.superuser.query('begin');
    const { rows } = await stage.superuser.query(
      `select id from millrace.jobs where tenant_id = $1 and status = any ($2) order by md5(id::text || version) limit $3
       for update skip locked`,
      [this.tenantId, statuses, count],
    );
    await stage.superuser.query(sql, [rows.map(({ id }) => id)]);
    await stage.superuser.query('commit');
  }

  /** A transaction that writes now and commits with the next `release`. */
  async hold(count: number): Promise<void> {
    await this.release();
    this.#isHolding = true;
    await holder.query('begin');
    await holder.query(
      `update millrace.jobs set priority = priority + 1 where id in (
         select id from millrace.jobs where tenant_id = $1 order by id limit $2 for update skip locked)`,
      [this.tenantId, count],
    );
  }

  async release(): Promise<void> {
    if (this.#isHolding) await holder.query('commit');
    this.#isHolding = false;
  }

  async converge(): Promise<void> {
    await this.release();
    for (const replica of this.replicas) replica.wake();
    const truth = (await stage.superuser.query(
      'select id, version, status from millrace.jobs where tenant_id = $1 order by id',
      [this.tenantId],
    )) as { rows: { id: string; version: string; status: JobStatus }[] };
    const shown = (rows: typeof truth.rows): string =>
      rows.map((row) => `${row.id} ${row.version}`).join('\n');
    const wanted = [shown(truth.rows), shown(truth.rows.filter((row) => ACTIVE.includes(row.status)))];
    for (const [index, replica] of this.replicas.entries()) {
      const has = (): string =>
        [...replica.jobs]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([id, version]) => `${id} ${version}`)
          .join('\n');
      await waitFor(() => has() === wanted[index], {
        describe: () => `replica ${index} to have\n${wanted[index]}\nbut it has\n${has()}`,
      });
      expect(replica.reversals).toEqual([]);
    }
  }

  async stop(): Promise<void> {
    await this.release();
    await Promise.all(this.replicas.map((replica) => replica.stop()));
  }
}

/** Ends the sessions of the feed, or of its listener. */
async function killSessions(like: string): Promise<void> {
  await stage.superuser.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where application_name like $1 and datname = current_database()`,
    [like],
  );
}

type Step = (play: Play) => Promise<void> | void;
const few = fc.integer({ min: 1, max: 8 });
const who = fc.integer({ min: 0, max: 1 });
const named = (name: string, step: Step): Step => Object.assign(step, { toString: () => name });
const step = fc.oneof(
  { weight: 4, arbitrary: few.map((n) => named(`insert ${n}`, (play) => play.insert(n))) },
  {
    weight: 3,
    arbitrary: few.map((n) => named(`claim ${n}`, (play) => play.change(CLAIM, ['queued'], n))),
  },
  {
    weight: 3,
    arbitrary: few.map((n) => named(`succeed ${n}`, (play) => play.change(SUCCEED, ['running'], n))),
  },
  {
    weight: 2,
    arbitrary: few.map((n) =>
      named(`delete ${n}`, (play) =>
        play.change('delete from millrace.jobs where id = any ($1)', ['queued', 'succeeded'], n),
      ),
    ),
  },
  { weight: 2, arbitrary: few.map((n) => named(`hold ${n}`, (play) => play.hold(n))) },
  { weight: 2, arbitrary: fc.constant(named('release', (play) => play.release())) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(who, few)
      .map(([index, n]) => named(`cut ${index} after ${n}`, (play) => play.replicas[index]?.cutAfter(n))),
  },
  {
    weight: 3,
    arbitrary: who.map((index) => named(`cut ${index}`, (play) => play.replicas[index]?.cutNow())),
  },
  {
    weight: 1,
    arbitrary: who.map((index) => named(`reload ${index}`, (play) => play.replicas[index]?.reload())),
  },
  {
    weight: 2,
    arbitrary: who.map((index) => named(`stall ${index}`, (play) => play.replicas[index]?.stall())),
  },
  {
    weight: 2,
    arbitrary: who.map((index) => named(`wake ${index}`, (play) => play.replicas[index]?.wake())),
  },
  { weight: 1, arbitrary: fc.constant(named('kill the listener', () => killSessions('millrace listener'))) },
  { weight: 1, arbitrary: fc.constant(named('kill the feed', () => killSessions('millrace test'))) },
);

test('after any changes and interruptions a client that goes on by cursor has the truth, and no version went back', async () => {
  let cutCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const play = new Play(await stage.makeTenant());
      try {
        for (const act of steps) await act(play);
        await play.converge();
        cutCount += play.replicas.reduce((sum, replica) => sum + replica.cutCount, 0);
      } finally {
        await play.stop();
      }
    }),
    // Shrinking would wait for a deadline at each step.
    { numRuns: 12, endOnFailure: true },
  );
  expect(cutCount).toBeGreaterThan(5);
});
