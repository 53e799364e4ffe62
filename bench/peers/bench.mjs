// Runs the workloads over the peers named on the command line. Started by
// run.sh, which brings up Postgres and Redis and passes where they are.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import pg from 'pg';
import { env, log, P, pgBase, QUICK, WORKLOADS } from './lib/params.mjs';
import { Peer } from './lib/peer.mjs';
import { pgbench } from './lib/pgbench.mjs';
import { listPeers, loadPeer } from './lib/registry.mjs';
import { report, summarize } from './lib/report.mjs';
import { median, nowNs, round } from './lib/util.mjs';
import { w1, w2, w3, w5, w6 } from './lib/workloads.mjs';

const ctx0 = {
  redis: env.BENCH_REDIS || null,
  redisAof: env.BENCH_REDIS_AOF || null,
  pgmqSql: env.PGMQ_SQL || null,
};
const admin = new pg.Client({ ...pgBase, database: 'postgres' });
await admin.connect();
admin.on('error', () => {});

async function fresh(Cls) {
  const ctx = { ...ctx0 };
  if (Cls.store === 'postgres') {
    const db = 'bench_' + Cls.id.replace(/\W/g, '_');
    await admin.query(`drop database if exists ${db} with (force)`);
    await admin.query('checkpoint');
    await admin.query(`create database ${db}`);
    ctx.pg = { ...pgBase, database: db };
  }
  const peer = new Cls(ctx);
  await peer.setup();
  return peer;
}
async function discard(peer) {
  await peer.stop().catch(() => {});
  await peer.teardown().catch((e) => log('teardown:', e.message));
  if (peer.ctx.pg) await admin.query(`drop database if exists ${peer.ctx.pg.database} with (force)`);
}

// --- which peers -------------------------------------------------------------
const asked = process.argv.slice(2);
const chosen = [];
const skipped = {};
const ids = await listPeers();
const isAsked = (id) => asked.includes(id) || (asked.includes('product') && id.startsWith('product-'));
for (const id of ids) {
  if (asked.length && !isAsked(id)) continue;
  const Cls = await loadPeer(id);
  if (!asked.length && !Cls.byDefault) continue;
  const why = await Cls.unavailable(ctx0);
  if (why) skipped[id] = why;
  else chosen.push(Cls);
}
for (const a of asked) if (a !== 'product' && !ids.includes(a)) skipped[a] = 'no such peer';
for (const [id, why] of Object.entries(skipped)) log(`skipped ${id}: ${why}`);

// --- run ---------------------------------------------------------------------
const started = new Date();
const results = {};
const probes = [];
for (const C of chosen)
  results[C.id] = { config: C.config, w1: [], w2: [], w3: null, w5: [], w6: null, errors: [] };

/** How noisy is it now: median time of one tiny synchronous commit, and the load. */
async function probe(peer, what) {
  await admin.query('create table if not exists probe (x int)');
  const ms = [];
  for (let i = 0; i < 40; i++) {
    const t = nowNs();
    await admin.query('insert into probe values (1)');
    ms.push((nowNs() - t) / 1e6);
  }
  const p = {
    peer,
    what,
    at: new Date().toISOString(),
    commitMs: round(median(ms), 2),
    load1: round(os.loadavg()[0], 2),
  };
  probes.push(p);
  log(`${what} ${peer} (commit ${p.commitMs} ms, load ${p.load1})`);
}
/** Probes, then runs fn; its failure is noted and the run goes on. */
async function attempt(C, what, fn) {
  await probe(C.id, what);
  try {
    await fn(results[C.id]);
  } catch (e) {
    log(`  failed: ${e.message}`);
    results[C.id].errors.push(`${what}: ${e.message}`);
  }
}
/** The same with a fresh peer. */
const withPeer = (C, what, fn) =>
  attempt(C, what, async (R) => {
    const peer = await fresh(C);
    try {
      await fn(peer, R);
    } finally {
      await discard(peer);
    }
  });

const hasTenants = (C) => C.prototype.enqueueTenants !== Peer.prototype.enqueueTenants;
// runs outside, peers inside: a noisy minute then hits every peer's sample alike
for (let run = 1; run <= P.runs; run++)
  for (const C of chosen) {
    if (WORKLOADS.has('w1') || WORKLOADS.has('w2'))
      await withPeer(C, `run ${run}/${P.runs}`, async (peer, R) => {
        if (WORKLOADS.has('w1')) R.w1.push(await w1(peer));
        if (WORKLOADS.has('w2')) R.w2.push(await w2(peer));
      });
    if (WORKLOADS.has('w5') && hasTenants(C))
      await withPeer(C, `tenants ${run}/${P.runs}`, async (peer, R) => {
        const r = await w5(peer);
        if (r) R.w5.push(r);
      });
  }
for (const C of chosen) {
  if (WORKLOADS.has('w3') && C.depth) await withPeer(C, 'depth', async (peer, R) => (R.w3 = await w3(peer)));
}
for (const C of chosen) {
  if (WORKLOADS.has('w6') && C.pinned && C.store === 'postgres')
    await attempt(C, 'pinned', async (R) => (R.w6 = await w6(C, fresh, discard)));
}
let bench = null;
if (WORKLOADS.has('pgbench') && env.BENCH_PGBENCH && chosen.some((c) => c.id === 'limit')) {
  log('pgbench');
  bench = await pgbench(admin).catch((e) => void log(`  failed: ${e.message}`));
}

// --- report ------------------------------------------------------------------
const summary = Object.fromEntries(Object.entries(results).map(([id, r]) => [id, summarize(r)]));
const errors = Object.entries(results).flatMap(([id, r]) => r.errors.map((e) => `${id}: ${e}`));
const slow = new Set(chosen.filter((c) => c.slow).map((c) => c.id));
const text = report({ summary, slow, bench, errors, skipped, probes });
console.log('\n' + text);

const ver = (p) => {
  try {
    return JSON.parse(readFileSync(new URL(`./node_modules/${p}/package.json`, import.meta.url))).version;
  } catch {
    return null;
  }
};
const settings = (
  await admin.query(
    `select name, current_setting(name) as v from pg_settings where source in ('configuration file', 'command line')
    and name !~ 'director|file|port|lc_|default_text'`,
  )
).rows;
const out = {
  started: started.toISOString(),
  finished: new Date().toISOString(),
  quick: QUICK,
  params: P,
  machine: { cpu: os.cpus()[0].model, cores: os.cpus().length, memGiB: round(os.totalmem() / 2 ** 30) },
  versions: {
    node: process.version,
    postgres: (await admin.query('show server_version')).rows[0].server_version,
    redis: env.BENCH_REDIS_VERSION || null,
    ...Object.fromEntries(['graphile-worker', 'pg-boss', 'bullmq', 'ioredis', 'pg'].map((p) => [p, ver(p)])),
  },
  settings: Object.fromEntries(settings.map((r) => [r.name, r.v])),
  summary,
  pgbench: bench,
  skipped,
  probes,
  results,
};
mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
const stamp =
  started.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '') + (QUICK ? '-quick' : '');
writeFileSync(new URL(`./results/${stamp}.json`, import.meta.url), JSON.stringify(out, null, 1) + '\n');
writeFileSync(new URL(`./results/${stamp}.md`, import.meta.url), text);
log(`wrote results/${stamp}.json and .md, ${((Date.now() - started) / 1000).toFixed(0)} s`);
await admin.end();
process.exit(errors.length ? 1 : 0);
