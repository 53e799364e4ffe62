import { migrate } from '../../src/db/migrate/migrate.ts';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { enqueueDuring, makeOldDatabase } from '../../test/support/old-database.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { makeBenchDirectory } from '../stage/directory.ts';

const JOBS = 3_650_000;
const QUICK_JOBS = 100_000;
const GOAL_MS = 250;

/** Every migration since the first one, over a database with millions of jobs, while jobs are put in. */
export const migrateSize: Measure = {
  name: 'migrate-size',
  title: 'Every migration since the first over 3,650,000 jobs: the longest that an enqueue is blocked',
  async run({ effort, say }) {
    await using directory = await makeBenchDirectory();
    const postgres = await startEmbeddedPostgres({ dataDir: directory.path, log: () => undefined });
    try {
      const count = effort.quick ? QUICK_JOBS : JOBS;
      await makeOldDatabase(postgres.url, count);
      const startedMs = performance.now();
      const figures = await enqueueDuring(postgres.url, () =>
        migrate({
          connectionString: postgres.url,
          log: (line) => say(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s: ${line}`),
        }),
      );
      say(`${count} jobs; ${figures.count} enqueued meanwhile`);
      return [
        figureOf({ name: 'an enqueue blocked by a migration, longest', unit: 'ms', goal: GOAL_MS }, [
          figures.longestBlockedMs,
        ]),
        figureOf({ name: 'an enqueue meanwhile, longest', unit: 'ms', goal: null }, [figures.longestMs]),
        figureOf({ name: 'all migrations', unit: 's', goal: null }, [
          (performance.now() - startedMs) / 1_000,
        ]),
      ];
    } finally {
      await postgres.stop();
    }
  },
};
