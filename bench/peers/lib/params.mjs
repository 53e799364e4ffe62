// Sizes of a run: name, full, QUICK=1. The README says what each one is.
export const env = process.env;
export const QUICK = env.QUICK === '1';
const num = (k, full, quick) => Number(env[k] ?? (QUICK ? quick : full));

export const P = {
  runs: num('RUNS', 3, 1),
  jobs: num('JOBS', 20_000, 800),
  singleMaxS: num('SINGLE_MAX_S', 5, 1),
  bulk: num('BULK', 1000, 500),
  latencyJobs: num('LATENCY_JOBS', 500, 40),
  latencyEveryMs: 10,
  depths: (env.DEPTHS ?? (QUICK ? '5000' : '0,200000,1000000')).split(',').map(Number),
  completed: num('COMPLETED', 100_000, 1000),
  depthDrain: num('DEPTH_DRAIN', 10_000, 500),
  tenantBig: num('TENANT_BIG', 100_000, 5000),
  tenantSmall: 20,
  tenants: 10,
  pinRounds: 6,
  pinRoundMaxS: num('PIN_ROUND_MAX_S', 30, 5),
  pinJobs: num('PIN_JOBS', 10_000, 300),
  pgbenchS: num('PGBENCH_S', 5, 1),
};
export const WORKLOADS = new Set(
  (env.WORKLOADS ?? (QUICK ? 'w1,w2,w3,w5,w6' : 'w1,w2,w3,w5,w6,pgbench')).split(','),
);
/** Fields of a node-postgres connection, without the database. */
export const pgBase = { host: env.BENCH_PG_HOST, port: Number(env.BENCH_PG_PORT), user: env.BENCH_PG_USER };
export const log = (...a) => console.error(new Date().toISOString().slice(11, 19), ...a);
