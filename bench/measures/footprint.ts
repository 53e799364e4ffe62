import { setTimeout as delay } from 'node:timers/promises';
import { residentMegabytesOf } from '../measuring/cpu.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { drainBacklog } from '../stage/backlog.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const GOAL_WORKER_MB = 110;
const CONCURRENCY = 10;
const ROUNDS = 3;
/** V8 gives memory back in three steps of up to 8 s each. */
const REST_MS = 25_000;

interface Counters {
  readonly walBytes: number;
  readonly commits: number;
  readonly deadRows: number;
  readonly tableBytes: number;
}

/**
 * What one no-op job leaves behind, from its enqueue in bulk to its settlement, and how large its worker
 * grows meanwhile.
 */
export const footprint: Measure = {
  name: 'footprint',
  title: 'WAL, transactions, dead rows and space of one job; memory of a busy worker',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    // What autovacuum takes away in between would not be counted.
    await stage.client.query('alter table millrace.jobs set (autovacuum_enabled = off)');
    const worker = await startNoopWorker(stage.env, CONCURRENCY);
    const jobs = effort.quick ? 2_000 : 20_000;
    const samples: Counters[] = [];
    const residentMb: number[] = [];
    const restedMb: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = await count(stage);
        await drainBacklog(stage, [worker], jobs);
        await worker.take();
        const after = await count(stage);
        const each = (key: keyof Counters): number => (after[key] - before[key]) / jobs;
        samples.push({
          walBytes: each('walBytes'),
          commits: each('commits'),
          deadRows: each('deadRows'),
          tableBytes: each('tableBytes'),
        });
        residentMb.push((await residentMegabytesOf(worker.pid)) ?? Number.NaN);
        const { rows } = await stage.client.query(
          'select pg_size_pretty(pg_total_relation_size($1)) as size',
          ['millrace.jobs'],
        );
        say(
          `after ${jobs * (round + 1)} jobs: jobs take ${rows[0].size}, the worker ${rounded(residentMb.at(-1) as number)} MB`,
        );
      }
      await delay(REST_MS);
      restedMb.push((await residentMegabytesOf(worker.pid)) ?? Number.NaN);
    } finally {
      await worker.stop();
    }
    const figure = (name: string, unit: Figure['unit'], key: keyof Counters): Figure =>
      figureOf(
        { name, unit, goal: null },
        samples.map((sample) => sample[key]),
      );
    return [
      figure('WAL of a job', 'bytes', 'walBytes'),
      figure('transactions of a job', '', 'commits'),
      figure('dead rows of a job in jobs', '', 'deadRows'),
      figure('space of a job, attempts and metering included', 'bytes', 'tableBytes'),
      figureOf({ name: 'worker, busy', unit: 'MB', goal: GOAL_WORKER_MB }, residentMb),
      figureOf({ name: 'worker, at rest behind them', unit: 'MB', goal: GOAL_WORKER_MB }, restedMb),
    ];
  },
};

/** All since the start of the server, but for the space, which is as of now. */
async function count({ client }: Stage): Promise<Counters> {
  // Counts of other sessions arrive within a second of their last statement.
  await client.query('select pg_sleep(1.5)');
  const { rows } = await client.query<Record<keyof Counters, string>>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as "walBytes",
            (select xact_commit from pg_stat_database where datname = current_database()) as commits,
            (select n_dead_tup from pg_stat_all_tables where relid = 'millrace.jobs'::regclass) as "deadRows",
            (select sum(pg_total_relation_size(c.oid)) from pg_class c
             where c.relnamespace = 'millrace'::regnamespace and c.relname in ('jobs', 'tenant_jobs', 'stored_attempts', 'stored_usage_events')) as "tableBytes"`,
  );
  const row = rows[0] as Record<keyof Counters, string>;
  return {
    walBytes: Number(row.walBytes),
    commits: Number(row.commits),
    deadRows: Number(row.deadRows),
    tableBytes: Number(row.tableBytes),
  };
}
