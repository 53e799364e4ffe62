import { setTimeout as delay } from 'node:timers/promises';
import { cpuSecondsOf } from '../measuring/cpu.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { startServer, startShippedWorker } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const WORKERS = 20;
const LANES = 10_000;
const GOAL_PERCENT = 3;
const GOAL_CONNECTIONS = 97;
/** Migrations, caches and the first look-ups are over by then. */
const SETTLE_MS = 20_000;
const WINDOW_MS = 20_000;
const WINDOWS = 3;

/** What a fleet costs that has nothing to do, while many tenants have jobs for later. */
export const idleFleet: Measure = {
  name: 'idle-fleet',
  title: `${WORKERS} idle workers and one API beside ${LANES} lanes with jobs for later: CPU and connections`,
  async run(context) {
    const { effort, say } = context;
    const count = effort.quick ? 4 : WORKERS;
    await using stage = await openStage(context);
    await addLanes(stage, effort.quick ? 500 : LANES);
    await using stopping = new AsyncDisposableStack();
    const workers = [];
    for (let n = 0; n < count; n++) {
      const worker = await startShippedWorker(stage, { MILLRACE_LOG_LEVEL: 'info' });
      stopping.defer(() => worker.kill());
      workers.push(worker);
    }
    const { program: server } = await startServer(stage);
    stopping.defer(() => server.kill());
    await delay(effort.quick ? 2_000 : SETTLE_MS);
    const ofServer: number[] = [];
    const ofWorkers: number[] = [];
    const windowMs = effort.quick ? 2_000 : WINDOW_MS;
    const usedBy = async (pid: number): Promise<number> => (await cpuSecondsOf(pid)) ?? Number.NaN;
    for (let n = 0; n < WINDOWS; n++) {
      const before = [await usedBy(stage.postgresPid), await sumOf(workers.map(({ pid }) => usedBy(pid)))];
      await delay(windowMs);
      const after = [await usedBy(stage.postgresPid), await sumOf(workers.map(({ pid }) => usedBy(pid)))];
      const percent = (at: number): number =>
        (((after[at] as number) - (before[at] as number)) / (windowMs / 1000)) * 100;
      ofServer.push(percent(0));
      ofWorkers.push(percent(1));
      say(`Postgres ${rounded(percent(0))} %, workers ${rounded(percent(1))} % of a core`);
    }
    return [
      figureOf({ name: 'Postgres, of a core', unit: '%', goal: GOAL_PERCENT }, ofServer),
      figureOf({ name: `${count} workers, of a core`, unit: '%', goal: null }, ofWorkers),
      await connectionsOf(stage),
    ];
  },
};

async function sumOf(parts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
}

async function addLanes({ client, definitionIdOf }: Stage, count: number): Promise<void> {
  await client.query(
    `with made as (insert into millrace.tenants (slug, name) select 'later-' || n, 'Later' from generate_series(1, $1::int) n returning id)
     insert into millrace.jobs (tenant_id, definition_id, scheduled_for) select id, $2, now() + interval '1 day' from made`,
    [count, definitionIdOf('echo')],
  );
  await client.query('vacuum analyze');
}

/** Those of Millrace: not the benchmark's own. */
async function connectionsOf({ client }: Stage): Promise<Figure> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name like 'millrace%'`,
  );
  return figureOf({ name: 'connections', unit: '', goal: GOAL_CONNECTIONS }, [rows[0]?.count ?? 0]);
}
