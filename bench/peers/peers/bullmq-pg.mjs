// BullMQ on its own Postgres backend (in the npm release since 6.x): the same
// Queue and Worker as bullmq.mjs, the backend's documented settings.
import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';

const Q = 'trivial';

export class BullMqPg extends Peer {
  static config =
    'createPostgresBackend on a pg.Pool of concurrency + 4; removeOnComplete true; keeps its event rows';
  static slow = true;
  static maxDepth = 200_000;
  static pinned = true;

  // In ES modules the backend takes a ready-made pool only; one slot goes to its LISTEN.
  newPool(max) {
    return makePool({ ...this.ctx.pg, max, keepAlive: true, options: '-c search_path=bullmq' });
  }
  async setup() {
    this.pool = this.newPool(18);
    const c = await this.pool.connect();
    await runMigrations(c);
    c.release();
    this.q = new Queue(
      Q,
      { connection: this.pool, defaultJobOptions: { removeOnComplete: true } },
      createPostgresBackend,
    );
    this.q.on('error', () => {});
    await this.q.waitUntilReady();
  }
  async enqueueOne(p) {
    await this.q.add('t', p);
  }
  async enqueueBulk(ps) {
    await this.q.addBulk(ps.map((data) => ({ name: 't', data })));
  }
  async pending() {
    const q = `select exists(select 1 from job where queue = $1 and state in ('waiting', 'active')) as p`;
    return (await this.pool.query(q, [Q])).rows[0].p;
  }
  async #addMany(n, opts) {
    for (let left = n; left > 0; left -= 5000)
      await this.q.addBulk(
        Array.from({ length: Math.min(5000, left) }, () => ({ name: 't', data: { i: 0 }, opts })),
      );
  }
  async fillFuture(n) {
    await this.#addMany(n, { delay: 86_400_000 });
  }
  async fillCompleted(n) {
    await this.#addMany(n, { removeOnComplete: false });
    await this.pool.query(
      `update job set state = 'completed', attempts_made = 1, attempts_started = 1, return_value = 'null',
              processed_at_ms = added_at_ms, finished_at_ms = added_at_ms
        where queue = $1 and state = 'waiting'`,
      [Q],
    );
  }
  async teardown() {
    await this.q.close();
    await this.pool.end();
  }
  async runWorker({ concurrency, onJob }) {
    const pool = this.newPool(concurrency + 4);
    const w = new Worker(
      Q,
      async (job) => onJob(job.data),
      { connection: pool, concurrency },
      createPostgresBackend,
    );
    w.on('error', (e) => console.error('bullmq-pg:', e.message));
    await w.waitUntilReady();
    return {
      stop: async () => {
        await w.close();
        await pool.end();
      },
    };
  }
}
