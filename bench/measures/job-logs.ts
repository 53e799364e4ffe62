import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait.ts';
import { residentMegabytesOf } from '../measuring/cpu.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { startCrowd } from '../stage/crowd.ts';
import { noop } from '../stage/noop.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { startServer } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';

const JOBS = 300;
const LINES = 1_100;
const GOAL_WORKER_MB = 250;
const LOG = `subscription ($id: ID!) { jobLog(jobId: $id, untilFinal: false) { lines { cursor message } cursor isEnd } }`;

/** Jobs that all write a megabyte of lines at once, each followed by a subscriber. */
export const jobLogs: Measure = {
  name: 'job-logs',
  title: `${JOBS} jobs at a time that write 1.1 MB of lines each, all followed: lines lost, memory`,
  async run(context) {
    const { effort, say } = context;
    const jobs = effort.quick ? 20 : JOBS;
    await using stage = await openStage(context);
    const worker = await startNoopWorker({ ...stage.env, MILLRACE_LOG_LEVEL: 'warn' }, JOBS);
    const { program, graphqlUrl, token } = await startServer(stage);
    const crowd = await startCrowd();
    const most = { worker: 0, server: 0 };
    let isOver = false;
    const watching = (async () => {
      for (; !isOver; await delay(50)) {
        most.worker = Math.max(most.worker, (await residentMegabytesOf(worker.pid)) ?? 0);
        most.server = Math.max(most.server, (await residentMegabytesOf(program.pid)) ?? 0);
      }
    })();
    const startedMs = performance.now();
    try {
      const enqueued = await stage.queue.enqueue(
        stage.tenantId,
        Array.from({ length: jobs }, () => ({ definitionKey: noop.key, payload: { lines: LINES } })),
      );
      await crowd.open({ url: graphqlUrl.replace(/^http/, 'ws'), token }, jobs);
      await crowd.subscribe({
        query: LOG,
        variables: enqueued.map(({ id }) => ({ id })),
        from: 0,
        to: jobs,
        until: '"message":"end"',
      });
      await waitFor(
        async () =>
          (await stage.client.query(`select from millrace.jobs where status <> 'succeeded' limit 1`))
            .rowCount === 0,
        { describe: 'all jobs to end', timeoutMs: 300_000 },
      );
    } finally {
      isOver = true;
      await watching;
      await crowd.stop();
      await program.kill();
      await worker.stop();
    }
    const { rows } = await stage.client.query<{ lines: number }>(
      `select count(*)::int as lines from millrace.job_log_lines where length(message) = 1000`,
    );
    const took = (performance.now() - startedMs) / 1_000;
    say(`${rows[0]?.lines} of ${jobs * LINES} lines stored and followed within ${took.toFixed(1)} s`);
    return [
      figureOf({ name: 'lines lost', unit: '', goal: 0 }, [jobs * LINES - (rows[0]?.lines ?? 0)]),
      figureOf({ name: 'worker, largest', unit: 'MB', goal: GOAL_WORKER_MB }, [most.worker]),
      figureOf({ name: 'server, largest', unit: 'MB', goal: null }, [most.server]),
      figureOf({ name: 'until all was stored and followed', unit: 's', goal: null }, [took]),
    ];
  },
};
