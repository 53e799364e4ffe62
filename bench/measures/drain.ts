import { CpuMeter } from '../measuring/cpu.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure, MeasureContext } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { drainBacklog } from '../stage/backlog.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { createPlainTable, fillPlainTable, lastPlainEnd } from '../stage/plain.ts';
import { startPlainProcess } from '../stage/plain-process.ts';
import { openStage } from '../stage/stage.ts';

/** Processes × jobs at a time in each. */
const SHAPES = [
  { processes: 1, concurrency: 10 },
  { processes: 2, concurrency: 50 },
] as const;
const CALIBRATION_JOBS = 1000;

/**
 * How fast workers empty a backlog of no-op jobs, beside the plain loop with as many connections. For
 * orientation.
 */
export const drain: Measure = {
  name: 'drain',
  title: 'Drain of no-op jobs beside the plain two-statement loop',
  async run(context) {
    const figures: Figure[] = [];
    for (const shape of SHAPES) figures.push(...(await drainShape(shape, context)));
    return figures;
  },
};

async function drainShape(
  { processes, concurrency }: (typeof SHAPES)[number],
  context: MeasureContext,
): Promise<readonly Figure[]> {
  const { effort, say } = context;
  const shape = `${processes}×${concurrency}`;
  await using stage = await openStage(context);
  await createPlainTable(stage.client);
  const each = Array.from({ length: processes });
  const workers = await Promise.all(each.map(() => startNoopWorker(stage.env, concurrency)));
  const loops = await Promise.all(each.map(() => startPlainProcess(stage.databaseUrl)));
  try {
    const ours = async (count: number): Promise<number> => {
      const { enqueuedAt, endedAt } = await drainBacklog(stage, workers, count);
      await Promise.all(workers.map((worker) => worker.take()));
      return jobsPerSecond(count, enqueuedAt, endedAt);
    };
    const plain = async (count: number): Promise<number> => {
      const filledAt = await fillPlainTable(stage.client, count);
      await Promise.all(loops.map((loop) => loop.run(concurrency)));
      return jobsPerSecond(count, filledAt, await lastPlainEnd(stage.client));
    };
    // The first run opens connections and prepares statements; the second says how many jobs a run needs.
    await ours(CALIBRATION_JOBS);
    await plain(CALIBRATION_JOBS);
    const ourJobs = Math.ceil((await ours(CALIBRATION_JOBS)) * effort.runSeconds * 1.2);
    const plainJobs = Math.ceil((await plain(CALIBRATION_JOBS)) * effort.runSeconds * 1.2);
    const cpu = new CpuMeter();
    for (const [index, worker] of workers.entries()) await cpu.watch(`worker ${index + 1}`, worker.pid);
    for (const [index, loop] of loops.entries()) await cpu.watch(`plain loop ${index + 1}`, loop.pid);
    await cpu.watch('postgres', stage.postgresPid);
    const pairs = await interleavedPairs(
      effort.pairs,
      () => ours(ourJobs),
      () => plain(plainJobs),
      ({ a, b }) =>
        say(
          `${shape}: ours ${rounded(a)} jobs/s (${ourJobs} jobs), plain ${rounded(b)} jobs/s (${plainJobs})`,
        ),
    );
    say(`CPU seconds: ${await cpu.describe()}`);
    return [
      figureOf(
        { name: `drain ${shape}`, unit: 'jobs/s', goal: null },
        pairs.map(({ a }) => a),
      ),
      figureOf(
        { name: `plain loop ${shape}`, unit: 'jobs/s', goal: null },
        pairs.map(({ b }) => b),
      ),
      figureOf(
        { name: `drain ${shape} ÷ plain loop`, unit: '×', goal: null },
        pairs.map(({ a, b }) => a / b),
      ),
    ];
  } finally {
    await Promise.all([...workers, ...loops].map((child) => child.stop()));
  }
}

function jobsPerSecond(count: number, from: Date, to: Date): number {
  return count / ((to.getTime() - from.getTime()) / 1000);
}
