import { waitFor } from '../../test/support/wait.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { noop } from '../stage/noop.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const TENANTS = 1_000;
/** At least 0.9 of the throughput of one tenant. */
const GOAL = 1.11;
const DRAIN_TIMEOUT_MS = 120_000;

/**
 * How fast a worker empties a backlog that is spread over many tenants, beside one that is a single tenant's.
 */
export const manyTenants: Measure = {
  name: 'many-tenants',
  title: 'Drain of no-op jobs of 1,000 tenants beside those of one',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    await stage.client.query(
      `insert into millrace.tenants (slug, name) select 'many-' || n, 'Many' from generate_series(1, $1::integer) n`,
      [TENANTS],
    );
    const worker = await startNoopWorker(stage.env, 10);
    const jobs = effort.quick ? 2_000 : 25_000;
    const drain = async (tenants: number): Promise<number> => {
      await fill(stage, tenants, jobs);
      const startedMs = performance.now();
      // A foreign writer's statement sends the notification by itself.
      await stage.client.query('update millrace.job_definitions set paused_at = null where key = $1', [
        noop.key,
      ]);
      stage.notifier.notify('millrace_work');
      await waitFor(() => worker.count >= jobs, {
        describe: 'all handlers to be called',
        timeoutMs: DRAIN_TIMEOUT_MS,
        pollMs: 5,
      });
      const rate = jobs / ((performance.now() - startedMs) / 1000);
      await waitFor(
        async () =>
          (
            await stage.client.query(
              `select from millrace.jobs where status in ('queued', 'running') limit 1`,
            )
          ).rowCount === 0,
        { describe: 'the last jobs to be settled', timeoutMs: DRAIN_TIMEOUT_MS },
      );
      await worker.take();
      return rate;
    };
    try {
      await drain(1);
      await drain(TENANTS);
      const pairs = await interleavedPairs(
        effort.pairs,
        () => drain(TENANTS),
        () => drain(1),
        ({ a, b }) => say(`${TENANTS} tenants: ${rounded(a)} jobs/s, one: ${rounded(b)}`),
      );
      return [
        figureOf(
          { name: 'drain of one tenant ÷ of 1,000', unit: '×', goal: GOAL },
          pairs.map(({ a, b }) => b / a),
        ),
        figureOf(
          { name: 'drain of 1,000 tenants', unit: 'jobs/s', goal: null },
          pairs.map(({ a }) => a),
        ),
      ];
    } finally {
      await worker.stop();
    }
  },
};

/** Puts the jobs in while their definition is paused, so that the filling is not measured. */
async function fill({ client, definitionIdOf }: Stage, tenants: number, jobs: number): Promise<void> {
  await client.query('update millrace.job_definitions set paused_at = now() where key = $1', [noop.key]);
  await client.query(
    `with tenant as (select id, row_number() over (order by id) - 1 as n from millrace.tenants where slug like 'many-%' order by id limit $2)
     insert into millrace.jobs (tenant_id, definition_id, payload)
     select t.id, $1, jsonb_build_object('n', g) from generate_series(1, $3::integer) g join tenant t on t.n = g % $2::integer`,
    [definitionIdOf(noop.key), tenants, jobs],
  );
}
