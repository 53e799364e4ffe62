import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../../src/core/queue.ts';
import { LOG_CHANNEL, WATCH_CHANNEL } from '../../src/db/channels.ts';
import { createListener } from '../../src/db/listener.ts';
import { feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { createFeed } from '../../src/events/feed.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { ProgressWriter } from '../../workers/runtime/progress-writer.ts';
import { Run } from '../../workers/runtime/run.ts';
import { cpuSecondsOf } from '../measuring/cpu.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { noop } from '../stage/noop.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const RUNNING = 1_000;
/** Jobs that ended earlier and keep their progress: the table is not made of running ones alone. */
const ENDED = 20_000;
const SAY_EVERY_MS = 100;
/** What the issue asks for: each of them seen twice a second. */
const GOAL_GAP_MS = 500;

interface Figures {
  readonly bytes: number;
  readonly dead: number;
  readonly updated: number;
  readonly hot: number;
}

async function figuresOf({ client }: Stage, table: string): Promise<Figures> {
  const { rows } = await client.query(
    `select pg_stat_force_next_flush(), pg_total_relation_size(relid)::float8 as bytes, n_dead_tup::float8 as dead,
            n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot
     from pg_stat_user_tables where schemaname = 'millrace' and relname = $1`,
    [table],
  );
  return rows[0];
}

/** Jobs that run, all of one worker process. */
async function claimAll(stage: Stage): Promise<{ readonly runs: readonly Run[]; readonly queue: JobQueue }> {
  const synced = await syncDefinitions(stage.database, [noop]);
  const queue = createPostgresQueue(stage.database, stage.notifier, synced, {
    pipelines: pipelinesOf(registeredDomains({ echo: true })),
  });
  await queue.enqueue(
    stage.tenantId,
    Array.from({ length: RUNNING }, (_, n) => ({ definitionKey: noop.key, payload: { n } })),
  );
  const runs: Run[] = [];
  while (runs.length < RUNNING) {
    const { jobs } = await queue.claim({
      workerId: 'bench',
      definitionIds: [...synced.keys()],
      limit: 500,
      after: null,
    });
    runs.push(...jobs.map((job) => new Run(job, noop)));
  }
  for (const run of runs) run.begin();
  return { runs, queue };
}

/**
 * 1,000 running jobs whose handlers say how far they are ten times a second, with somebody who watches all of
 * them.
 */
export const progress: Measure = {
  name: 'progress',
  title: 'Progress of 1,000 running jobs: how often it is seen, and what it leaves behind',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    await stage.client.query(
      `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, stage)
       select uuidv7(), $1, 1, 100, 'done' from generate_series(1, $2)`,
      [stage.tenantId, ENDED],
    );
    const { runs, queue } = await claimAll(stage);
    await stage.client.query('vacuum analyze millrace.job_progress, millrace.jobs');
    const log = createLogger({ logLevel: 'warn', logFormat: 'json' }, 'bench');
    const listener = createListener({
      connectionString: stage.databaseUrl,
      channels: [WATCH_CHANNEL, LOG_CHANNEL],
      log,
    });
    await listener.start();
    const feed = createFeed({
      tables: feedTablesOf(registeredDomains({ echo: true })),
      database: stage.database,
      listener,
      log,
    });
    feed.start();
    const progressWriter = new ProgressWriter(queue, stage.notifier, log);
    const stream = feed.subscribe({ tenantId: stage.tenantId, initialLimit: RUNNING });
    const seenMs = new Map<string, number>();
    const sampled = new Set(runs.filter((_, index) => index % 50 === 0).map((run) => run.claimed.job.id));
    const gapsMs: number[] = [];
    let isMeasuring = false;
    const watching = (async () => {
      for await (const event of stream) {
        if (event.kind !== 'job') continue;
        const nowMs = performance.now();
        const before = seenMs.get(event.change.jobId);
        // Of every fiftieth job: of all of them the samples would be too many to compute with.
        if (isMeasuring && before !== undefined && sampled.has(event.change.jobId))
          gapsMs.push(nowMs - before);
        seenMs.set(event.change.jobId, nowMs);
      }
    })();
    const seconds = effort.quick ? 5 : 60;
    let percent = 0;
    const speaking = setInterval(() => {
      percent = (percent + 0.1) % 100;
      for (const run of runs)
        progressWriter.note(run, { percent, stage: 'work', message: `at ${percent.toFixed(1)} %` });
    }, SAY_EVERY_MS);
    try {
      await sleep(2_000);
      isMeasuring = true;
      const [jobs, before] = [await figuresOf(stage, 'jobs'), await figuresOf(stage, 'job_progress')];
      const cpuBefore = [await cpuSecondsOf(stage.postgresPid), process.cpuUsage()] as const;
      const startMs = performance.now();
      const dead: number[] = [];
      for (let second = 0; second < seconds; second++) {
        await sleep(1_000);
        dead.push((await figuresOf(stage, 'job_progress')).dead);
      }
      const tookSeconds = (performance.now() - startMs) / 1_000;
      const after = await figuresOf(stage, 'job_progress');
      const jobsUpdated = (await figuresOf(stage, 'jobs')).updated - jobs.updated;
      const ownCpu = process.cpuUsage(cpuBefore[1]);
      const postgresCpu = ((await cpuSecondsOf(stage.postgresPid)) ?? 0) - (cpuBefore[0] ?? 0);
      const updated = after.updated - before.updated;
      say(
        `${(updated / tookSeconds).toFixed(0)} rows written a second; ${((100 * (after.hot - before.hot)) / updated).toFixed(1)} % in place (HOT)`,
      );
      say(`rows of jobs changed meanwhile: ${jobsUpdated}`);
      say(
        `table and indexes: ${Math.round(before.bytes / 1024)} KiB → ${Math.round(after.bytes / 1024)} KiB`,
      );
      say(
        `CPU: Postgres ${((100 * postgresCpu) / tookSeconds).toFixed(0)} %, worker and feed in one process ` +
          `${((ownCpu.user + ownCpu.system) / 1e4 / tookSeconds).toFixed(0)} % of one core`,
      );
      return [
        figureOf({ name: 'between two sights of one job’s progress', unit: 'ms', goal: GOAL_GAP_MS }, gapsMs),
        figureOf(
          { name: 'dead rows in job_progress, as counted each second', unit: '', goal: 3 * RUNNING },
          dead,
        ),
        figureOf({ name: 'growth of table and indexes', unit: '×', goal: 1.5 }, [after.bytes / before.bytes]),
      ];
    } finally {
      clearInterval(speaking);
      progressWriter.close();
      await stream.return();
      await watching;
      await feed.stop();
      await listener.stop();
    }
  },
};
