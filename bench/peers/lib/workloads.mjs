// What is measured. Each function gets a peer that is set up and empty, except
// those that say `Cls`: they take the class and make fresh ones themselves.
import pg from 'pg';
import { log, P, QUICK } from './params.mjs';
import { median, nowNs, quantile, sleep } from './util.mjs';

async function drain(peer, n, shape, maxS) {
  await peer.startWorkers(shape);
  const d = await peer.waitDone(n, { maxS });
  const res = await peer.stop();
  const done = d.cutAt ?? n;
  return {
    jobsPerS: done / d.drainedS,
    handledPerS: done / d.handledS,
    cutAt: d.cutAt ?? null,
    extra: d.extra,
    peakRssMb: Math.max(...res.map((r) => r.peakRssMb)),
    cpuS: res.reduce((a, r) => a + (r.cpu.user + r.cpu.system) / 1e6, 0),
  };
}

export async function w1(peer) {
  const n = peer.constructor.slow ? P.jobs / 4 : P.jobs;
  const single = await peer.enqueue(n, { mode: 'single', concurrency: 16, maxS: P.singleMaxS });
  const a = await drain(peer, n, { processes: 1, concurrency: 10 });
  const bulk = await peer.enqueue(n, { mode: 'bulk', bulk: P.bulk });
  const b = await drain(peer, n, { processes: 2, concurrency: 50 });
  return { enqueueSingle: single, enqueueBulk: bulk, p1c10: a, p2c50: b };
}

export async function w2(peer) {
  await peer.startWorkers({ processes: 1, concurrency: 10 });
  const send = async (n) => {
    const t0 = nowNs();
    const all = [];
    for (let i = 0; i < n; i++) {
      const wait = P.latencyEveryMs * i - (nowNs() - t0) / 1e6;
      if (wait > 0) await sleep(wait);
      all.push(peer.enqueueOne({ i, t: nowNs() }));
    }
    await Promise.all(all);
  };
  await send(20); // warm-up
  await peer.waitDone(20);
  await sleep(QUICK ? 200 : 1000); // idle again
  await peer.resetCounters();
  await send(P.latencyJobs);
  await peer.waitDone(P.latencyJobs);
  const [r] = await peer.stop();
  const s = r.lat.sort((x, y) => x - y);
  return {
    p50: quantile(s, 0.5),
    p95: quantile(s, 0.95),
    p99: quantile(s, 0.99),
    max: s.at(-1),
    n: s.length,
  };
}

export async function w3(peer) {
  const n = peer.constructor.slow ? P.depthDrain / 4 : P.depthDrain;
  const points = [];
  const measure = async (future, completed) => {
    if (peer.ctx.pg) {
      const c = new pg.Client(peer.ctx.pg);
      await c.connect();
      await c.query('vacuum analyze');
      await c.end();
    }
    const rates = [];
    for (let i = 0; i < P.runs; i++) {
      await peer.enqueue(n, { mode: 'bulk', bulk: P.bulk });
      rates.push((await drain(peer, n, { processes: 1, concurrency: 10 })).handledPerS);
    }
    points.push({ future, completed, jobsPerS: median(rates), all: rates });
  };
  await measure(0, 0);
  const kept = (await peer.fillCompleted(P.completed)) !== false;
  let have = 0;
  for (const d of P.depths) {
    if (d > peer.constructor.maxDepth) break;
    if (d > have) {
      const t = nowNs();
      await peer.fillFuture(d - have);
      log(`  ${peer.constructor.id}: ${d - have} future jobs put in, ${((nowNs() - t) / 1e9).toFixed(1)} s`);
      have = d;
    }
    if (d === 0 && !kept) continue; // the same as the first point
    await measure(d, kept ? P.completed : 0);
  }
  return points;
}

/**
 * W5: how long small tenants' jobs wait on idle workers (alone), and then behind
 * one tenant's backlog (behind). Returns null for a peer without tenants.
 */
export async function w5(peer) {
  const small = Object.fromEntries(
    Array.from({ length: P.tenants }, (_, i) => [String.fromCharCode(98 + i), P.tenantSmall]),
  );
  const n = P.tenants * P.tenantSmall;
  const stamped = (_tenant, i) => ({ i, t: nowNs() });
  const waits = async () => {
    await peer.waitStamped(n);
    const s = (await peer.stop()).flatMap((r) => r.lat).sort((x, y) => x - y);
    return { p50: quantile(s, 0.5), p99: quantile(s, 0.99), max: s.at(-1), n: s.length };
  };
  const start = () => peer.startWorkers({ processes: 1, concurrency: 10 });
  await start();
  await sleep(QUICK ? 100 : 500);
  if ((await peer.enqueueTenants(small, stamped)) === false) return null;
  const alone = await waits();
  await peer.enqueueTenants({ a: P.tenantBig }, (_tenant, i) => ({ i }));
  await start();
  await peer.enqueueTenants(small, stamped);
  const behind = await waits();
  return { alone, behind, ratioP50: behind.p50 / alone.p50, ratioP99: behind.p99 / alone.p99 };
}

/**
 * W6: rounds of enqueue and drain, without and with an old snapshot held open in the
 * same database. A round longer than pinRoundMaxS is cut there and is the last one.
 */
export async function w6(Cls, fresh, discard) {
  const rounds = async (pinned) => {
    const peer = await fresh(Cls);
    const pin = new pg.Client(peer.ctx.pg);
    pin.on('error', () => {});
    try {
      if (pinned) {
        await pin.connect();
        await pin.query('begin isolation level repeatable read');
        await pin.query('select count(*) from pg_class'); // only a query takes the snapshot
      }
      const rates = [];
      let [jobs, seconds, cutAt] = [0, 0, null];
      for (let i = 0; i < P.pinRounds && cutAt === null; i++) {
        await peer.enqueue(P.pinJobs, { mode: 'bulk', bulk: P.bulk });
        const d = await drain(peer, P.pinJobs, { processes: 1, concurrency: 10 }, P.pinRoundMaxS);
        cutAt = d.cutAt;
        rates.push(d.jobsPerS);
        jobs += cutAt ?? P.pinJobs;
        seconds += (cutAt ?? P.pinJobs) / d.jobsPerS;
      }
      return { rates, jobs, cutAt, jobsPerS: jobs / seconds, lastToFirst: rates.at(-1) / rates[0] };
    } finally {
      if (pinned) await pin.end().catch(() => {});
      await discard(peer);
    }
  };
  const free = await rounds(false);
  const pinned = await rounds(true);
  return { free, pinned, ofFree: pinned.jobsPerS / free.jobsPerS };
}
