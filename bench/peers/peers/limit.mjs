// What Postgres itself gives on this machine: raw SQL on one plain jobs table,
// nothing a real queue needs besides (no retries, no tenants, no fairness).
//
//   limit        enqueue calls made at the same time share one INSERT (each still
//                resolves only once its row is committed); wake-up NOTIFY from a
//                connection of its own, coalesced; batched claim with asynchronous
//                commit (losing a claim in a crash only re-runs the job); batched
//                DELETE on completion, committed synchronously
//   limit-keep   the same, but one INSERT a call, and completion keeps the row
//   limit-naive  one INSERT + NOTIFY a call in one transaction, one claim and one
//                completion a job, all synchronous: the usual hand-written loop
import pg from 'pg';
import { Peer } from '../lib/peer.mjs';
import { makePool } from '../lib/pgpool.mjs';

const DDL = `
create table jobs (
  id           bigint generated always as identity primary key,
  state        smallint    not null default 0,   -- 0 waiting, 1 active, 2 done
  attempts     smallint    not null default 0,
  run_at       timestamptz not null default now(),
  locked_until timestamptz,
  finished_at  timestamptz,
  payload      jsonb       not null
);
create index jobs_claim on jobs (run_at, id) where state = 0;
create index jobs_active on jobs (locked_until) where state = 1;`;

const CLAIM = `
update jobs j set state = 1, attempts = attempts + 1, locked_until = now() + interval '60s'
  from (select id from jobs where state = 0 and run_at <= now()
         order by run_at, id limit $1 for update skip locked) c
 where j.id = c.id
returning j.id, j.payload`;
const DELETE = 'delete from jobs where id = any($1::bigint[])';
const KEEP =
  'update jobs set state = 2, finished_at = now(), locked_until = null where id = any($1::bigint[])';

class Raw extends Peer {
  keep = false;
  naive = false;
  coalesce = true;

  async setup() {
    this.pool = makePool({ ...this.ctx.pg, max: 16 });
    await this.pool.query(DDL);
    this.notifier = new pg.Client(this.ctx.pg);
    this.notifier.on('error', () => {});
    await this.notifier.connect();
    await this.notifier.query('set synchronous_commit = off');
    this.queued = [];
    this.inserting = 0;
  }
  // NOTIFY takes a database-wide lock from before commit until after it, so inside
  // the enqueuing transaction it makes commits queue up one behind the other and
  // group commit is lost. Sent after the commit, and once for many.
  #poke() {
    if (this.poking) return void (this.pokeAgain = true);
    this.poking = true;
    this.notifier
      .query('notify jobs')
      .catch(() => {})
      .then(() => {
        this.poking = false;
        if (this.pokeAgain) {
          this.pokeAgain = false;
          this.#poke();
        }
      });
  }
  async enqueueOne(p) {
    if (this.naive)
      return this.pool.query({
        name: 'ins1n',
        text: `with i as (insert into jobs (payload) values ($1) returning 1) select pg_notify('jobs', '') from i`,
        values: [p],
      });
    if (!this.coalesce) {
      await this.pool.query({ name: 'ins1', text: 'insert into jobs (payload) values ($1)', values: [p] });
      return this.#poke();
    }
    await new Promise((resolve, reject) => {
      this.queued.push({ p, resolve, reject });
      if (this.inserting < 2) this.#flushInserts();
    });
  }
  async #flushInserts() {
    this.inserting++;
    await null; // let calls of the same turn join
    while (this.queued.length) {
      const batch = this.queued.splice(0, 1000);
      try {
        await this.enqueueBulk(batch.map((x) => x.p));
        for (const x of batch) x.resolve();
      } catch (e) {
        for (const x of batch) x.reject(e);
      }
      await null;
    }
    this.inserting--;
  }
  async enqueueBulk(ps) {
    await this.pool.query({
      name: 'insn',
      text: 'insert into jobs (payload) select unnest($1::jsonb[])',
      values: [ps.map((p) => JSON.stringify(p))],
    });
    this.#poke();
  }
  async pending() {
    const q = `select exists(select 1 from jobs where state = 1) or
                      exists(select 1 from jobs where state = 0 and run_at <= now()) as p`;
    return (await this.pool.query(q)).rows[0].p;
  }
  async fillFuture(n) {
    await this.pool.query(
      `insert into jobs (payload, run_at)
       select '{"i":0}', now() + interval '1 day' + g * interval '1 ms' from generate_series(1, $1) g`,
      [n],
    );
  }
  async fillCompleted(n) {
    await this.pool.query(
      `insert into jobs (payload, state, finished_at) select '{"i":0}', 2, now() from generate_series(1, $1)`,
      [n],
    );
  }
  async teardown() {
    await this.notifier.end();
    await this.pool.end();
  }

  async runWorker({ concurrency, onJob }) {
    return this.naive ? this.#naive(concurrency, onJob) : this.#batched(concurrency, onJob);
  }

  async #listen(wake) {
    const c = new pg.Client(this.ctx.pg);
    await c.connect();
    c.on('notification', wake);
    await c.query('listen jobs');
    return c;
  }

  async #batched(concurrency, onJob) {
    const claimer = new pg.Client(this.ctx.pg);
    const finisher = new pg.Client(this.ctx.pg);
    await claimer.connect();
    await finisher.connect();
    await claimer.query('set synchronous_commit = off');
    const size = 200;
    let stopped = false;
    let notified = false;
    let wake = () => {};
    const listener = await this.#listen(() => {
      notified = true;
      wake();
    });

    let done = [];
    let flushing = null;
    const flush = () =>
      (flushing ??= (async () => {
        await new Promise(setImmediate); // let this turn's completions gather
        while (done.length) {
          const ids = done;
          done = [];
          await finisher.query({ name: 'fin', text: this.keep ? KEEP : DELETE, values: [ids] });
        }
        flushing = null;
      })());

    const local = [];
    let running = 0;
    const pump = () => {
      while (running < concurrency && local.length) {
        const job = local.shift();
        running++;
        Promise.resolve(onJob(job.payload)).then(() => {
          running--;
          done.push(job.id);
          flush();
          pump();
          if (local.length < size) wake();
        });
      }
    };
    const loop = (async () => {
      while (!stopped) {
        notified = false;
        const { rows } = await claimer.query({ name: 'claim', text: CLAIM, values: [size] });
        local.push(...rows);
        pump();
        // claim one batch ahead, no more; and bound how far completions may fall behind
        while (local.length >= size && !stopped) await new Promise((r) => (wake = r));
        while (done.length > 4 * size) await flushing;
        if (rows.length === 0 && !notified && !stopped) {
          let t;
          await new Promise((r) => {
            t = setTimeout(r, 500); // polling backstop, for jobs that come due
            wake = r;
          });
          clearTimeout(t);
        }
      }
    })();
    return {
      stop: async () => {
        stopped = true;
        wake();
        await loop;
        await flushing;
        await Promise.all([claimer.end(), finisher.end(), listener.end()]);
      },
    };
  }

  async #naive(concurrency, onJob) {
    const pool = makePool({ ...this.ctx.pg, max: concurrency });
    let stopped = false;
    const waiters = new Set();
    const wakeAll = () => {
      for (const w of waiters) w();
      waiters.clear();
    };
    const listener = await this.#listen(wakeAll);
    const loops = Array.from({ length: concurrency }, async () => {
      while (!stopped) {
        const { rows } = await pool.query({ name: 'claim1', text: CLAIM, values: [1] });
        if (!rows.length) {
          await new Promise((r) => {
            const t = setTimeout(r, 500);
            waiters.add(() => (clearTimeout(t), r()));
          });
          continue;
        }
        await onJob(rows[0].payload);
        await pool.query({ name: 'fin1', text: DELETE, values: [[rows[0].id]] });
      }
    });
    return {
      stop: async () => {
        stopped = true;
        wakeAll();
        await Promise.all(loops);
        await Promise.all([pool.end(), listener.end()]);
      },
    };
  }
}

export class Limit extends Raw {
  static config =
    'concurrent enqueues share an INSERT, coalesced NOTIFY out of band, claim 200 a statement (async commit), batched DELETE';
  // W5: the tenant is a field of the job that nothing looks at: plain first in, first out
  async enqueueTenants(counts, payload) {
    for (const [tenant, n] of Object.entries(counts))
      for (let i = 0; i < n; i += 1000)
        await this.enqueueBulk(
          Array.from({ length: Math.min(1000, n - i) }, (_, k) => ({ tenant, ...payload(tenant, i + k) })),
        );
  }
}

export class LimitKeep extends Raw {
  static config = 'as limit, but one INSERT a call and completed rows stay in the table';
  static pinned = true;
  keep = true;
  coalesce = false;
}

export class LimitNaive extends Raw {
  static config =
    'INSERT + NOTIFY in one transaction; one claim and one completion a job; synchronous commits';
  static depth = false;
  static slow = true;
  naive = true;
}
