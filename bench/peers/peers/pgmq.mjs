// pgmq, whose API is SQL functions. Its SQL is not kept here: PGMQ_SQL must name
// a pgmq.sql you already have; without it this peer is left out.
import { existsSync, readFileSync } from 'node:fs';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';

const Q = 'trivial';
const BATCH = 100;

export class Pgmq extends Peer {
  static pinned = true;
  static config =
    `read/delete ${BATCH} at a time, min(concurrency, 4) loops a process; idle: read_with_poll every 10 ms`;

  static async unavailable(ctx) {
    return ctx.pgmqSql && existsSync(ctx.pgmqSql) ? null : 'PGMQ_SQL names no file';
  }
  async setup() {
    this.pool = makePool({ ...this.ctx.pg, max: 16 });
    await this.pool.query(readFileSync(this.ctx.pgmqSql, 'utf8'));
    await this.pool.query('select pgmq.create($1)', [Q]);
  }
  async enqueueOne(p) {
    await this.pool.query({ name: 's1', text: 'select pgmq.send($1, $2::jsonb)', values: [Q, p] });
  }
  async enqueueBulk(ps) {
    await this.pool.query({
      name: 'sn',
      text: 'select pgmq.send_batch($1, $2::jsonb[])',
      values: [Q, ps.map((p) => JSON.stringify(p))],
    });
  }
  async pending() {
    // a message being handled has its vt up to 60 s ahead; scheduled ones a day
    const q = `select exists(select 1 from pgmq.q_trivial where vt <= now() + interval '1 hour') as p`;
    return (await this.pool.query(q)).rows[0].p;
  }
  async fillFuture(n) {
    for (let left = n; left > 0; left -= 10_000)
      await this.pool.query('select count(*) from pgmq.send_batch($1, $2::jsonb[], 86400)', [
        Q,
        Array.from({ length: Math.min(10_000, left) }, () => '{"i":0}'),
      ]);
  }
  async fillCompleted(n) {
    // pgmq keeps finished messages only when asked to archive them, in a second table
    for (let left = n; left > 0; left -= 10_000)
      await this.pool.query(
        'select count(*) from pgmq.archive($1::text, array(select pgmq.send_batch($1::text, $2::jsonb[])))',
        [Q, Array.from({ length: Math.min(10_000, left) }, () => '{"i":0}')],
      );
  }
  async teardown() {
    await this.pool.end();
  }
  async runWorker({ concurrency, onJob }) {
    const lanes = Math.min(concurrency, 4);
    const pool = makePool({ ...this.ctx.pg, max: lanes });
    let stopped = false;
    const loops = Array.from({ length: lanes }, async (_, lane) => {
      while (!stopped) {
        let { rows } = await pool.query({
          name: 'rd',
          text: 'select msg_id, message from pgmq.read($1, 60, $2)',
          values: [Q, BATCH],
        });
        if (!rows.length)
          rows = (
            await pool.query({
              name: 'rp',
              text: 'select msg_id, message from pgmq.read_with_poll($1, 60, $2, 1, $3)',
              values: [Q, BATCH, lane === 0 ? 10 : 250],
            })
          ).rows;
        if (!rows.length) continue;
        for (const r of rows) await onJob(r.message);
        await pool.query({
          name: 'del',
          text: 'select count(*) from pgmq.delete($1::text, $2::bigint[])',
          values: [Q, rows.map((r) => r.msg_id)],
        });
      }
    });
    return {
      stop: async () => {
        stopped = true;
        await Promise.all(loops);
        await pool.end();
      },
    };
  }
}
