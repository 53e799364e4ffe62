import { deleteFinishedJobs } from '../../src/db/sql/queue/delete-finished-jobs.ts';
import { PostgresMaintenanceQueue } from '../../src/queue/maintenance-verbs.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { retentionDuty } from '../../workers/maintenance/retention.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { openFilledStage } from '../stage/filled.ts';

const JOBS = 1_000_000;
const QUICK_JOBS = 50_000;
const SECONDS = 30;
const BATCH = 1_000;
const GOAL = 2;

/** How fast finished jobs are deleted whose time is up, and what one statement after the other does. */
export const retentionRate: Measure = {
  name: 'retention-rate',
  title: 'Finished jobs that retention deletes a second, beside the same statement without pauses',
  async run(context) {
    const { effort, say } = context;
    await using filled = await openFilledStage(context, effort.quick ? QUICK_JOBS : JOBS);
    const { stage, superuser, large } = filled;
    const { rows } = await superuser.query<{ ids: string[] }>(
      'select array_agg(id) as ids from millrace.job_definitions',
    );
    const statementRate = async (): Promise<number> => {
      const startedMs = performance.now();
      let deleted = 0;
      for (let position = '-infinity'; performance.now() - startedMs < (effort.quick ? 2_000 : 10_000); ) {
        const { rows: done } = await stage.database.asWorker<{ deleted: number; position: string | null }>(
          deleteFinishedJobs,
          [large, position, new Date().toISOString(), rows[0]?.ids, 4 * BATCH, BATCH],
        );
        deleted += done[0]?.deleted ?? 0;
        if (done[0]?.position == null) break;
        position = done[0].position;
      }
      return (deleted / (performance.now() - startedMs)) * 1_000;
    };
    const alone = await statementRate();
    const startedMs = performance.now();
    const isOver = (): boolean => performance.now() - startedMs > (effort.quick ? 5 : SECONDS) * 1_000;
    const duty = retentionDuty({
      queue: new PostgresMaintenanceQueue(stage.database, stage.notifier, pipelinesOf([])),
      defaultSeconds: 3_600,
    });
    const { jobs = 0 } = await duty.run({
      goOn: () => !isOver(),
      upSeconds: 3_600,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    const ofDuty = (jobs / (performance.now() - startedMs)) * 1_000;
    say(
      `one statement after the other: ${Math.round(alone)} jobs/s; the duty, of 102 tenants: ${Math.round(ofDuty)}`,
    );
    return [
      figureOf({ name: 'the statement, without pauses', unit: 'jobs/s', goal: null }, [alone]),
      figureOf({ name: 'retention', unit: 'jobs/s', goal: null }, [ofDuty]),
      figureOf({ name: 'the statement ÷ retention', unit: '×', goal: GOAL }, [alone / ofDuty]),
    ];
  },
};
