// The same statements as peers/limit.mjs, driven by pgbench instead of Node.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { env, P, pgBase, QUICK } from './params.mjs';
import { nowNs } from './util.mjs';

const claim = (k) => `with c as (select id from pgb_jobs where state = 0 and run_at <= now()
    order by run_at, id limit ${k} for update skip locked)
  update pgb_jobs j set state = 1, attempts = attempts + 1, locked_until = now() + interval '60s'
    from c where j.id = c.id`;
const pop = (
  k,
) => `delete from pgb_jobs where id in (select id from pgb_jobs where state = 0 and run_at <= now()
    order by run_at, id limit ${k} for update skip locked)`;
const one = (s) => s.replace(/\s+/g, ' ') + ';\n';

export async function pgbench(admin) {
  const dir = mkdtempSync(join(os.tmpdir(), 'pgb-'));
  const conn = ['-h', pgBase.host, '-p', String(pgBase.port), '-U', pgBase.user];
  const bench = (script, clients, pgoptions = '') => {
    const f = join(dir, 's.sql');
    writeFileSync(f, script);
    const out = execFileSync(
      env.BENCH_PGBENCH,
      [
        ...conn,
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        '2',
        '-T',
        String(P.pgbenchS),
        '-f',
        f,
        'postgres',
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...env, PGOPTIONS: pgoptions } },
    );
    return Number(/tps = ([\d.]+)/.exec(out)[1]);
  };
  const table = () =>
    admin.query(`drop table if exists pgb_jobs; create table pgb_jobs (
      id bigint generated always as identity primary key, state smallint not null default 0,
      attempts smallint not null default 0, run_at timestamptz not null default now(),
      locked_until timestamptz, payload jsonb not null);
    create index on pgb_jobs (run_at, id) where state = 0`);
  const fill = (n) =>
    admin.query(
      `insert into pgb_jobs (payload) select '{"i":0}' from generate_series(1, ${n}); analyze pgb_jobs`,
    );
  const res = {};
  const rows = QUICK ? 30_000 : 300_000;
  await table();
  res.insert1_c16 = bench(`insert into pgb_jobs (payload) values ('{"i":0}');\n`, 16);
  res.insert1_notify_c16 = bench(
    `with i as (insert into pgb_jobs (payload) values ('{"i":0}') returning 1) select pg_notify('x', '') from i;\n`,
    16,
  );
  // the same statement without the NOTIFY, so that the difference is NOTIFY's alone
  res.insert1_cte_c16 = bench(
    `with i as (insert into pgb_jobs (payload) values ('{"i":0}') returning 1) select length('') from i;\n`,
    16,
  );
  res.insert100_c4_rows =
    100 * bench(`insert into pgb_jobs (payload) select '{"i":0}' from generate_series(1,100);\n`, 4);
  await table();
  await fill(rows);
  res.claim1_c10 = bench(one(claim(1)), 10);
  await table();
  await fill(rows);
  res.claim1_async_c10 = bench(one(claim(1)), 10, '-c synchronous_commit=off');
  await table();
  const cap = QUICK ? 100_000 : 1_000_000;
  await fill(cap);
  // capped so that it cannot run dry: counts what really got claimed
  const t = nowNs();
  const tps = bench(one(claim(100)), 4);
  const s = (nowNs() - t) / 1e9;
  const left = Number((await admin.query('select count(*) from pgb_jobs where state = 0')).rows[0].count);
  res.claim100_c4_rows = (cap - left) / s;
  res.claim100_ranDry = left === 0 ? Math.round(tps) : false;
  await table();
  await fill(rows);
  res.pop1_c10 = bench(one(pop(1)), 10);
  await admin.query('drop table pgb_jobs');
  rmSync(dir, { recursive: true });
  return res;
}
