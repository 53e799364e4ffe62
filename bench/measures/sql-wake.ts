import { waitFor } from '../../test/support/wait.ts';
import { machineMs } from '../measuring/clock.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { quantile } from '../measuring/statistics.ts';
import { noop } from '../stage/noop.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { unevenPauses } from '../stage/pace.ts';
import { openStage } from '../stage/stage.ts';

const GOAL_MS = 20;
const WARM_UP = 50;
const MAX_SAMPLES = 500;

/**
 * How soon an idle worker begins a job that somebody else's connection puts in: as psql would, and through
 * the SQL API.
 */
export const sqlWake: Measure = {
  name: 'sql-wake',
  title: 'An INSERT by another program, and millrace.enqueue, to handler start; idle worker',
  async run(context) {
    const { effort } = context;
    await using stage = await openStage(context);
    const { client, tenantId } = stage;
    const definitionId = stage.definitionIdOf(noop.key);
    const variants = [
      (n: number) =>
        client.query('insert into millrace.jobs (tenant_id, definition_id, payload) values ($1, $2, $3)', [
          tenantId,
          definitionId,
          { n },
        ]),
      (n: number) =>
        client.query('select millrace.enqueue(definition_key => $1, payload => $2, tenant => $3)', [
          noop.key,
          { n },
          tenantId,
        ]),
    ] as const;
    const worker = await startNoopWorker(stage.env, 10);
    try {
      const pause = unevenPauses();
      const askedMs: number[] = [];
      const count = WARM_UP + Math.min(MAX_SAMPLES, effort.samples);
      for (let n = 0; n < count; n++) {
        await pause();
        askedMs.push(machineMs());
        await variants[n % 2 === 0 ? 0 : 1](n);
        await waitFor(() => worker.count > n, { describe: `handler ${n} to be called`, pollMs: 5 });
      }
      const calls = (await worker.take()).filter(([n]) => n >= WARM_UP);
      const of = (rest: number): readonly number[] =>
        calls.filter(([n]) => n % 2 === rest).map(([n, atMs]) => atMs - (askedMs[n] as number));
      const p99 = (samples: readonly number[]): number => quantile(samples, 0.99);
      return [
        figureOf({ name: 'INSERT → handler start, p50', unit: 'ms', goal: GOAL_MS }, of(0)),
        figureOf({ name: 'INSERT → handler start, p99', unit: 'ms', goal: null }, of(0), p99),
        figureOf({ name: 'millrace.enqueue → handler start, p50', unit: 'ms', goal: GOAL_MS }, of(1)),
        figureOf({ name: 'millrace.enqueue → handler start, p99', unit: 'ms', goal: null }, of(1), p99),
      ];
    } finally {
      await worker.stop();
    }
  },
};
