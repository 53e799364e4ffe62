import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { collectFacts } from './collect.ts';
import type { Facts } from './facts.ts';
import { type FaultKind, planFaults } from './fault-plan.ts';
import { Injector } from './injector.ts';
import { type Judgement, judge } from './judges/judge.ts';
import type { ChaosOptions } from './options.ts';
import { planJobs } from './plan.ts';
import { produce } from './producer.ts';
import { createRandom } from './random.ts';
import { openStage, type Stage } from './stage.ts';
import { emitEvents } from './triggers.ts';
import { summarizeLog } from './worker-log.ts';
import { Workers } from './workers.ts';

export interface ChaosResult {
  readonly facts: Facts;
  readonly judgements: readonly Judgement[];
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** From the first enqueue to the last end. */
  readonly seconds: number;
  /** What workers logged most, warnings and worse. */
  readonly logged: readonly string[];
  /** Workers that ended by themselves, and what they said last. */
  readonly fallen: readonly string[];
}

export interface ChaosHooks {
  readonly say?: (line: string) => void;
  /**
   * Called with a superuser's connection when all has ended and nothing has been judged: a test plants its
   * violation here.
   */
  readonly beforeJudging?: (client: pg.Client) => Promise<void>;
}

/** One run of the suite: jobs and faults at once, then time for everything to end, then the judges. */
export async function runChaos(options: ChaosOptions, hooks: ChaosHooks = {}): Promise<ChaosResult> {
  const say = hooks.say ?? (() => undefined);
  const plan = planJobs(options.jobs, createRandom(options.seed));
  const overMs = options.faultSeconds * 1000;
  const planned = planFaults(options.faults, overMs, options.workers, createRandom(options.seed + 1));
  const stage = await openStage();
  const { cluster, recordPath } = stage;
  const logPath = join(stage.directory, 'workers.log');
  const workers = new Workers({
    count: options.workers,
    databaseUrl: cluster.url,
    concurrency: options.concurrency,
    recordPath,
    dataDir: join(stage.directory, 'workers'),
    logPath,
  });
  try {
    await allPresent(stage, options.workers, () => lastLines(logPath));
    const stopping = new AbortController();
    const beganMs = performance.now();
    const injector = new Injector({
      cluster,
      workers,
      say: (line) => say(`${((performance.now() - beganMs) / 1000).toFixed(1).padStart(7)} s  ${line}`),
    });
    await together(stopping, [
      produce({ ...stage, plan, overMs, signal: stopping.signal }),
      emitEvents({ ...stage, events: options.events, overMs, signal: stopping.signal }),
      injector.run(planned, stopping.signal),
    ]);
    await drained(stage, options.drainSeconds * 1000);
    const seconds = (performance.now() - beganMs) / 1000;
    const fallen = workers.ended();
    await workers.stop();
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    try {
      await hooks.beforeJudging?.(client);
      const facts = await collectFacts(client, plan, options.events, recordPath, options.maxRssMb);
      const said = fallen.length > 0 ? lastLines(logPath).split('\n') : [];
      return {
        facts,
        judgements: judge(facts),
        faults: injector.counts,
        seconds,
        logged: summarizeLog(logPath, 12),
        fallen: [...fallen, ...said],
      };
    } finally {
      await client.end();
    }
  } finally {
    await workers.stop();
    await stage.close();
  }
}

function lastLines(path: string): string {
  return readFileSync(path, { encoding: 'utf8', flag: 'a+' }).slice(-2_000);
}

const START_WITHIN_MS = 300_000;

/** Until every worker has said that it is there: faults that hit nobody would prove nothing. */
async function allPresent({ pool }: Stage, count: number, said: () => string): Promise<void> {
  const untilMs = performance.now() + START_WITHIN_MS;
  for (;;) {
    const { rows } = await pool.query('select count(*)::integer as n from millrace.job_workers');
    if (rows[0].n >= count) return;
    if (performance.now() > untilMs)
      throw new Error(`${rows[0].n} of ${count} workers are there; they said:\n${said()}`);
    await sleep(100);
  }
}

/** Waits for all; the first that fails stops the others. */
async function together(stopping: AbortController, parts: readonly Promise<void>[]): Promise<void> {
  const watched = parts.map((part) =>
    part.catch((error: unknown) => {
      stopping.abort(error);
      throw error;
    }),
  );
  const results = await Promise.allSettled(watched);
  if (stopping.signal.aborted) throw stopping.signal.reason;
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Until nothing is queued, running or to be processed, or the time is up: then the judges say what is left.
 */
async function drained({ pool }: Stage, withinMs: number): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (performance.now() < untilMs) {
    const left = await pool
      .query(`select ((select count(*) from millrace.jobs where status in ('queued', 'running'))
                + (select count(*) from millrace.app_events where processed_at is null))::integer as n`)
      .then(({ rows }) => rows[0].n as number)
      .catch(() => -1);
    if (left === 0) return;
    await sleep(250);
  }
}
