import { waitFor } from '../../test/support/wait.ts';
import { machineMs } from '../measuring/clock.ts';
import { CpuMeter } from '../measuring/cpu.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { quantile } from '../measuring/statistics.ts';
import { noop } from '../stage/noop.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { unevenPauses } from '../stage/pace.ts';
import { createPlainTable, enqueuePlainJob } from '../stage/plain.ts';
import { startPlainListener } from '../stage/plain-process.ts';
import { openStage } from '../stage/stage.ts';

const GOAL_P50_MS = 3;
const GOAL_P99_MS = 10;
const WARM_UP = 50;

/**
 * From the producer's call to the first line of the handler in another process, with nothing else going on.
 */
export const startLatency: Measure = {
  name: 'start-latency',
  title: 'Enqueue to handler start, idle worker, producer in another process',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    await createPlainTable(stage.client);
    const worker = await startNoopWorker(stage.env, 10);
    const plain = await startPlainListener(stage.databaseUrl);
    try {
      const pause = unevenPauses();
      const askedMs: number[] = [];
      const answeredMs: number[] = [];
      const plainMs: number[] = [];
      const cpu = new CpuMeter();
      await cpu.watch('worker', worker.pid);
      await cpu.watch('postgres', stage.postgresPid);
      for (let n = 0; n < WARM_UP + effort.samples; n++) {
        await pause();
        askedMs.push(machineMs());
        await stage.queue.enqueue(stage.tenantId, [{ definitionKey: noop.key, payload: { n } }]);
        answeredMs.push(machineMs());
        await waitFor(() => worker.count > n, { describe: `handler ${n} to be called`, pollMs: 5 });
        await pause();
        const plainStart = plain.nextStart();
        const plainAskedMs = machineMs();
        await enqueuePlainJob(stage.client);
        plainMs.push((await plainStart) - plainAskedMs);
      }
      say(`CPU seconds: ${await cpu.describe()}`);
      const calls = (await worker.take()).filter(([n]) => n >= WARM_UP);
      const fromCall = calls.map(([n, atMs]) => atMs - (askedMs[n] as number));
      const fromCommit = calls.map(([n, atMs]) => atMs - (answeredMs[n] as number));
      const ofPlain = plainMs.slice(WARM_UP);
      const p99 = (samples: readonly number[]): number => quantile(samples, 0.99);
      return [
        figureOf({ name: 'enqueue called → handler start, p50', unit: 'ms', goal: GOAL_P50_MS }, fromCall),
        figureOf(
          { name: 'enqueue called → handler start, p99', unit: 'ms', goal: GOAL_P99_MS },
          fromCall,
          p99,
        ),
        figureOf({ name: 'enqueue answered → handler start, p50', unit: 'ms', goal: null }, fromCommit),
        figureOf({ name: 'plain SQL: insert, notify, claim, p50', unit: 'ms', goal: null }, ofPlain),
        figureOf({ name: 'plain SQL: insert, notify, claim, p99', unit: 'ms', goal: null }, ofPlain, p99),
      ];
    } finally {
      await Promise.all([worker.stop(), plain.stop()]);
    }
  },
};
