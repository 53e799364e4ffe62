// graphile-worker: as it comes, and with its own documented batching options.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';

const logger = new Logger(() => () => {});

export class Graphile extends Peer {
  static config = 'defaults: one getJob and one completeJob a job; pool = concurrency';
  static depth = false;
  static slow = true;
  worker = {};

  async setup() {
    this.pool = makePool({ ...this.ctx.pg, max: 16 });
    this.utils = await makeWorkerUtils({ pgPool: this.pool, logger });
    await this.utils.migrate();
  }
  async enqueueOne(p) {
    await this.utils.addJob('trivial', p);
  }
  async enqueueBulk(ps) {
    await this.utils.addJobs(ps.map((payload) => ({ identifier: 'trivial', payload })));
  }
  async pending() {
    const q = 'select exists(select 1 from graphile_worker._private_jobs where run_at <= now()) as p';
    return (await this.pool.query(q)).rows[0].p;
  }
  async fillFuture(n) {
    const runAt = new Date(Date.now() + 86_400_000);
    for (let left = n; left > 0; left -= 10_000)
      await this.utils.addJobs(
        Array.from({ length: Math.min(10_000, left) }, () => ({
          identifier: 'trivial',
          payload: { i: 0 },
          runAt,
        })),
      );
  }
  async teardown() {
    await this.utils.release();
    await this.pool.end();
  }
  async runWorker({ concurrency, onJob }) {
    const pool = makePool({ ...this.ctx.pg, max: concurrency + 2 });
    const runner = await run({
      preset: { worker: { concurrentJobs: concurrency, ...this.worker } },
      pgPool: pool,
      logger,
      noHandleSignals: true,
      parsedCronItems: [],
      taskList: { trivial: async (p) => onJob(p) },
    });
    return {
      stop: async () => {
        await runner.stop();
        await pool.end();
      },
    };
  }
}

export class GraphileTuned extends Graphile {
  static config = 'localQueue.size 500, completeJobBatchDelay 0, failJobBatchDelay 0';
  static depth = true;
  static slow = false;
  static pinned = true;
  worker = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
}
