import pg from 'pg';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { addJobs, type ClaimingStage, openClaimingStage } from '../stage/claiming.ts';

const JOBS_A_ROUND = 10_000;
const BATCH = 500;
/** At least 0.9 of the throughput without the snapshot. */
const GOAL = 1.11;

/**
 * Draining one lane, claim and settle, while another session holds a snapshot from before: what has been
 * claimed stays in the index until that session ends. The rounds go on over the same table, so that what was
 * left behind grows.
 */
export const oldSnapshot: Measure = {
  name: 'old-snapshot',
  title: 'Throughput while another session holds an old snapshot open',
  async run(context) {
    const { effort, say } = context;
    await using plain = await openClaimingStage(context);
    await using pinned = await openClaimingStage(context);
    const jobs = effort.quick ? JOBS_A_ROUND / 5 : JOBS_A_ROUND;
    await drain(plain, jobs);
    await drain(pinned, jobs);
    const holder = new pg.Client({
      connectionString: pinned.stage.databaseUrl,
      application_name: 'bench snapshot',
    });
    await holder.connect();
    try {
      await holder.query('begin isolation level repeatable read');
      await holder.query('select from millrace.jobs limit 1');
      const pairs = await interleavedPairs(
        effort.pairs,
        () => drain(pinned, jobs),
        () => drain(plain, jobs),
        ({ a, b }, index) =>
          say(`round ${index + 1}: ${rounded(a)} jobs/s with the snapshot, ${rounded(b)} without`),
      );
      // The last rounds: the dead entries of all before are in the way.
      const last = pairs.slice(Math.floor(pairs.length / 2));
      const figures: Figure[] = [
        figureOf(
          { name: 'drain without ÷ with an old snapshot, last rounds', unit: '×', goal: GOAL },
          last.map(({ a, b }) => b / a),
        ),
        figureOf(
          { name: 'drain with an old snapshot', unit: 'jobs/s', goal: null },
          pairs.map(({ a }) => a),
        ),
      ];
      return figures;
    } finally {
      await holder.end();
    }
  },
};

/** Jobs a second, in batches of one lane, from this process. */
async function drain({ stage, queue, noopId }: ClaimingStage, count: number): Promise<number> {
  await addJobs(stage, noopId, count);
  const startMs = performance.now();
  for (let done = 0; done < count; ) {
    const { jobs } = await queue.claim({
      workerId: 'bench',
      definitionIds: [noopId],
      limit: BATCH,
      after: null,
    });
    await Promise.all(
      jobs.map((job) =>
        queue.finish(
          job,
          {
            kind: 'final',
            settlement: { status: 'succeeded', skippedReason: null, result: null, artifacts: [] },
          },
          { startedAtMs: job.job.startedAt?.getTime() ?? null, wallMs: 0, cpuMs: null },
        ),
      ),
    );
    done += jobs.length;
  }
  return count / ((performance.now() - startMs) / 1000);
}
