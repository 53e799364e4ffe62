// pg-boss, tuned: batches, LISTEN/NOTIFY on, refetch at once while batches come back full.
import { PgBoss } from 'pg-boss';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';

const Q = 'trivial';
const BATCH = 100;

export class PgBossPeer extends Peer {
  static pinned = true;
  notify = true;
  static config =
    `batchSize ${BATCH}, localConcurrency min(concurrency, 4), burstWhenBatchFull, notify: true; polling backstop 0.5 s`;

  boss(extra) {
    const { host, port, user, database } = this.ctx.pg;
    const b = new PgBoss({ host, port, user, database, ...extra });
    b.on('error', (e) => this.closing || console.error('pg-boss:', e.message));
    return b;
  }
  async setup() {
    this.b = this.boss({ max: 16, supervise: false, schedule: false, useListenNotify: false });
    await this.b.start();
    await this.b.createQueue(Q, { notify: this.notify });
    await this.b.stop({ graceful: false });
    // started again, so that it enqueues with the queue's notify setting known
    this.b = this.boss({ max: 16, supervise: false, schedule: false, useListenNotify: this.notify });
    await this.b.start();
    this.pool = makePool({ ...this.ctx.pg, max: 2 });
  }
  async enqueueOne(p) {
    await this.b.send(Q, p);
  }
  async enqueueBulk(ps) {
    await this.b.insert(
      Q,
      ps.map((data) => ({ data })),
    );
  }
  async pending() {
    const q = `select exists(select 1 from pgboss.job where name = $1 and state < 'completed' and start_after <= now()) as p`;
    return (await this.pool.query(q, [Q])).rows[0].p;
  }
  async fillFuture(n) {
    for (let left = n; left > 0; left -= 10_000)
      await this.b.insert(
        Q,
        Array.from({ length: Math.min(10_000, left) }, () => ({ data: { i: 0 }, startAfter: 86_400 })),
      );
  }
  async fillCompleted(n) {
    for (let left = n; left > 0; left -= 10_000)
      await this.b.insert(
        Q,
        Array.from({ length: Math.min(10_000, left) }, () => ({ data: { i: 0 } })),
      );
    await this.pool.query(
      `update pgboss.job set state = 'completed', started_on = now(), completed_on = now()
        where name = $1 and state = 'created' and start_after <= now()`,
      [Q],
    );
  }
  async teardown() {
    this.closing = true;
    await this.b.stop({ graceful: false });
    await this.pool.end();
  }
  async runWorker({ concurrency, onJob }) {
    const lanes = Math.min(concurrency, 4);
    const b = this.boss({ max: lanes + 2, schedule: false, useListenNotify: this.notify });
    await b.start();
    await b.work(
      Q,
      {
        batchSize: BATCH,
        localConcurrency: lanes,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
      },
      async (jobs) => {
        for (const j of jobs) await onJob(j.data);
      },
    );
    return { stop: () => b.stop({ graceful: true, timeout: 3000 }) };
  }
}

export class PgBossPoll extends PgBossPeer {
  static config = 'as pgboss, but notify: false (its default): found by polling every 0.5 s';
  static depth = false;
  static pinned = false;
  notify = false;
}
