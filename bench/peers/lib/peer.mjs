// The interface every peer has. The harness only calls:
//
//   setup()                                 make an empty schema / queue, connect the enqueuing side
//   enqueue(n, {mode, concurrency, bulk})   put n ready jobs in ('single' = one call a job, 'bulk' = bulk API)
//   startWorkers({processes, concurrency})  fork worker processes (and wait until they listen)
//   waitDone(n)                             until n jobs were handled AND the store has none left ready/active
//   stop()                                  stop the workers, returning what they measured (peak RSS, latencies)
//   teardown()                              close the enqueuing side
//
// A peer file extends Peer and fills in the hooks marked HOOK below. runWorker
// runs inside the forked worker process; everything else in the main one.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chunkSizes, nowNs, pooled, sleep } from './util.mjs';

const WORKER = fileURLToPath(new URL('./worker-main.mjs', import.meta.url));

export class Peer {
  /** 'postgres' peers get a fresh database; 'redis' peers a flushed Redis. */
  static store = 'postgres';
  /** Part of a default run? */
  static byDefault = true;
  /** W1 with a quarter of the jobs: for peers an order of magnitude below the others. */
  static slow = false;
  /** Deepest W3 point that it can be filled to in reasonable time. */
  static maxDepth = Infinity;
  /** Does it take part in W3 (depth scaling)? Costs the most time. */
  static depth = true;
  /** Does it take part in W6 (an old snapshot held open)? Postgres peers only. */
  static pinned = false;
  /** One line for the results file: which settings are in force. */
  static config = '';
  /** HOOK: null when it can run here, else the reason why it cannot. */
  static async unavailable(ctx) {
    return null;
  }

  constructor(ctx) {
    this.ctx = ctx;
    this.workers = [];
  }

  // --- HOOKS: main process -------------------------------------------------
  async setup() {}
  async enqueueOne(payload) {
    throw new Error('not implemented');
  }
  async enqueueBulk(payloads) {
    throw new Error('not implemented');
  }
  /** Is any job ready or active? (future jobs and finished ones do not count) */
  async pending() {
    throw new Error('not implemented');
  }
  /** Put n jobs in that are due far in the future. May go round the API for speed. */
  async fillFuture(n) {
    throw new Error('not implemented');
  }
  /** Leave n finished jobs behind, as the peer would by itself. false = it keeps none. */
  async fillCompleted(n) {
    return false;
  }
  /**
   * W5. counts is {tenant: n}: put those jobs in for those tenants, in that order.
   * Call payload(tenant, i) for each just before the call that enqueues it (it
   * carries the time). false = no notion of tenants: W5 is skipped.
   */
  async enqueueTenants(counts, payload) {
    return false;
  }
  async teardown() {}
  // --- HOOK: worker process. Must call onJob(payload) once a job; the promise
  //     resolves to {stop} when the worker is listening. ---------------------
  async runWorker({ concurrency, onJob }) {
    throw new Error('not implemented');
  }

  // --- given ---------------------------------------------------------------
  /**
   * Puts n ready jobs in; returns jobs/s. With maxS, 'single' is measured for at
   * most that long and the rest then goes in by the bulk API, unmeasured.
   */
  async enqueue(n, { mode = 'single', concurrency = 16, bulk = 1000, maxS = Infinity } = {}) {
    const t0 = nowNs();
    let put = 0;
    const elapsed = () => (nowNs() - t0) / 1e9;
    const putBulk = async () => {
      for (const size of chunkSizes(n - put, bulk)) {
        await this.enqueueBulk(Array.from({ length: size }, (_, i) => ({ i })));
        put += size;
      }
    };
    if (mode === 'single') {
      await pooled(
        n,
        concurrency,
        (i) => (put++, this.enqueueOne({ i })),
        () => elapsed() > maxS,
      );
      const rate = put / elapsed();
      await putBulk();
      return rate;
    }
    await putBulk();
    return n / elapsed();
  }

  async startWorkers({ processes = 1, concurrency = 10 }) {
    const name = this.constructor.id;
    this.workers = Array.from({ length: processes }, () => {
      const child = fork(WORKER, [name], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const w = { child, count: 0, stamped: 0, first: null, last: null, result: null, exited: false };
      child.on('message', (m) => {
        if (m.type === 'tick') Object.assign(w, m.data);
        if (m.type === 'ready') w.onReady?.();
        if (m.type === 'listening') w.onListening?.();
        if (m.type === 'result') w.result = m.data;
        if (m.type === 'error') w.error = new Error(`${name} worker: ${m.data}`);
      });
      child.on('exit', (code) => {
        w.exited = true;
        if (code && !w.result) w.error ??= new Error(`${name} worker exited with ${code}`);
      });
      return w;
    });
    const until = async (w, key) => {
      await Promise.race([
        new Promise((r) => (w[key] = r)),
        new Promise((_, no) => {
          w.child.once('exit', () => no(w.error ?? new Error(`${name} worker gone`)));
          setTimeout(() => no(new Error(`${name} worker did not get ready`)), 60_000).unref();
        }),
      ]);
    };
    await Promise.all(this.workers.map((w) => until(w, 'onReady')));
    const listening = this.workers.map((w) => until(w, 'onListening'));
    for (const w of this.workers) w.child.send({ type: 'start', ctx: this.ctx, concurrency });
    await Promise.all(listening);
  }

  /** Resets the workers' counters, for several measurements on the same workers. */
  async resetCounters() {
    for (const w of this.workers) {
      w.child.send({ type: 'reset' });
      w.count = w.stamped = 0;
      w.first = w.last = null;
    }
    await sleep(60);
    for (const w of this.workers) Object.assign(w, { count: 0, stamped: 0, first: null, last: null });
  }

  get handled() {
    return this.workers.reduce((a, w) => a + w.count, 0);
  }

  /** With maxS, gives up that long after the first job: cutAt then says how many were handled. */
  async waitDone(n, { timeoutMs = 300_000, maxS = Infinity } = {}) {
    const end = Date.now() + timeoutMs;
    const late = () => {
      for (const w of this.workers) if (w.error) throw w.error;
      if (Date.now() > end) throw new Error(`timed out: ${this.handled} of ${n} handled`);
    };
    const firstNs = () => Math.min(...this.workers.filter((w) => w.first).map((w) => w.first));
    while (this.handled < n) {
      await sleep(4);
      late();
      const s = (nowNs() - firstNs()) / 1e9;
      if (s > maxS) return { handledS: s, drainedS: s, extra: 0, cutAt: this.handled };
    }
    const handledBy = Math.max(...this.workers.map((w) => w.last ?? 0));
    while (await this.pending()) {
      await sleep(4);
      late();
    }
    const drainedBy = nowNs();
    const first = firstNs();
    return {
      handledS: (handledBy - first) / 1e9,
      drainedS: (drainedBy - first) / 1e9,
      extra: this.handled - n,
    };
  }

  /** Until n jobs whose payload carries a time stamp were started. */
  async waitStamped(n, { timeoutMs = 300_000 } = {}) {
    const end = Date.now() + timeoutMs;
    const seen = () => this.workers.reduce((a, w) => a + w.stamped, 0);
    while (seen() < n) {
      await sleep(4);
      for (const w of this.workers) if (w.error) throw w.error;
      if (Date.now() > end) throw new Error(`timed out: ${seen()} of ${n} stamped jobs started`);
    }
  }

  async stop() {
    const ws = this.workers;
    this.workers = [];
    for (const w of ws) if (!w.exited) w.child.send({ type: 'stop' });
    const end = Date.now() + 20_000;
    while (ws.some((w) => !w.exited) && Date.now() < end) await sleep(5);
    for (const w of ws) if (!w.exited) w.child.kill('SIGKILL');
    return ws.map((w) => w.result).filter(Boolean);
  }
}
