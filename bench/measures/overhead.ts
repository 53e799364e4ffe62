import { CpuMeter } from '../measuring/cpu.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { median } from '../measuring/statistics.ts';
import { drainBacklog } from '../stage/backlog.ts';
import { type NoopWorker, startNoopWorker } from '../stage/noop-worker.ts';
import { createPlainTable, fillPlainTable } from '../stage/plain.ts';
import { startPlainProcess } from '../stage/plain-process.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const GOAL_MS = 3;
const CALIBRATION_JOBS = 200;

/**
 * From claim to settle, one job at a time, against two statements by the same driver. A worker of concurrency
 * 1 with a backlog calls the next handler as soon as it has settled the last job and claimed another: the
 * time from handler to handler is one whole turn.
 */
export const overhead: Measure = {
  name: 'overhead',
  title: 'Worker overhead of a no-op job, claim to settle, one at a time, over plain SQL',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    await createPlainTable(stage.client);
    const worker = await startNoopWorker(stage.env, 1);
    const plain = await startPlainProcess(stage.databaseUrl);
    try {
      const plainTurns = async (count: number): Promise<readonly number[]> => {
        await fillPlainTable(stage.client, count);
        return await plain.run(1);
      };
      const jobsFor = (turnsMs: readonly number[]): number =>
        Math.ceil((effort.runSeconds * 1000) / median(turnsMs));
      const ourJobs = jobsFor(await workerTurns(stage, worker, CALIBRATION_JOBS));
      const plainJobs = jobsFor(await plainTurns(CALIBRATION_JOBS));
      const cpu = new CpuMeter();
      await cpu.watch('worker', worker.pid);
      await cpu.watch('plain loop', plain.pid);
      await cpu.watch('postgres', stage.postgresPid);
      const pairs = await interleavedPairs(
        effort.pairs,
        async () => median(await workerTurns(stage, worker, ourJobs)),
        async () => median(await plainTurns(plainJobs)),
        ({ a, b }) =>
          say(`worker ${rounded(a)} ms (${ourJobs} jobs), plain SQL ${rounded(b)} ms (${plainJobs})`),
      );
      say(`CPU seconds: ${await cpu.describe()}`);
      return [
        figureOf(
          { name: 'overhead a job, p50', unit: 'ms', goal: GOAL_MS },
          pairs.map(({ a, b }) => a - b),
        ),
        figureOf(
          { name: 'turn of the worker ÷ plain SQL, p50', unit: '×', goal: null },
          pairs.map(({ a, b }) => a / b),
        ),
        figureOf(
          { name: 'turn of the worker, p50', unit: 'ms', goal: null },
          pairs.map(({ a }) => a),
        ),
      ];
    } finally {
      await Promise.all([worker.stop(), plain.stop()]);
    }
  },
};

async function workerTurns(stage: Stage, worker: NoopWorker, count: number): Promise<readonly number[]> {
  await drainBacklog(stage, [worker], count);
  const times = (await worker.take()).map(([, atMs]) => atMs);
  return times.slice(1).map((atMs, index) => atMs - (times[index] as number));
}
