// BullMQ. Not durable as Postgres is: with appendonly off a crash loses
// everything since the last snapshot, with everysec up to a second of jobs.

import { Queue, Worker } from 'bullmq';
import IORedis from 'ioredis';
import { Peer } from '../lib/peer.mjs';

const Q = 'trivial';

export class BullMq extends Peer {
  static store = 'redis';
  static config = 'Redis appendonly no; removeOnComplete true';
  static maxDepth = 200_000;
  conn = 'redis';

  static async unavailable(ctx) {
    return ctx.redis ? null : 'no redis-server';
  }
  client() {
    return new IORedis({ path: this.ctx[this.conn], maxRetriesPerRequest: null });
  }
  async setup() {
    this.c = this.client();
    await this.c.flushall();
    this.q = new Queue(Q, { connection: this.c, defaultJobOptions: { removeOnComplete: true } });
    await this.q.waitUntilReady();
  }
  async enqueueOne(p) {
    await this.q.add('t', p);
  }
  async enqueueBulk(ps) {
    await this.q.addBulk(ps.map((data) => ({ name: 't', data })));
  }
  async pending() {
    const c = await this.q.getJobCounts('waiting', 'active', 'prioritized');
    return Object.values(c).some((x) => x > 0);
  }
  async fillFuture(n) {
    for (let left = n; left > 0; left -= 5000)
      await this.q.addBulk(
        Array.from({ length: Math.min(5000, left) }, () => ({
          name: 't',
          data: { i: 0 },
          opts: { delay: 86_400_000 },
        })),
      );
  }
  async fillCompleted(n) {
    for (let left = n; left > 0; left -= 5000)
      await this.q.addBulk(
        Array.from({ length: Math.min(5000, left) }, () => ({
          name: 't',
          data: { i: 0 },
          opts: { removeOnComplete: false },
        })),
      );
    await this.startWorkers({ processes: 2, concurrency: 50 });
    await this.waitDone(n);
    await this.stop();
  }
  async teardown() {
    await this.q.close();
    this.c.disconnect();
  }
  async runWorker({ concurrency, onJob }) {
    const c = this.client();
    const w = new Worker(Q, async (job) => onJob(job.data), { connection: c, concurrency });
    w.on('error', (e) => console.error('bullmq:', e.message));
    await w.waitUntilReady();
    return {
      stop: async () => {
        await w.close();
        c.disconnect();
      },
    };
  }
}

export class BullMqAof extends BullMq {
  static config = 'Redis appendonly yes, appendfsync everysec; removeOnComplete true';
  static depth = false;
  conn = 'redisAof';
}
