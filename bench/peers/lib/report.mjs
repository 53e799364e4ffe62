// Medians of the samples, and the printed tables.
import os from 'node:os';
import { P } from './params.mjs';
import { median, round } from './util.mjs';

const col = (xs, f, d) => round(median((xs ?? []).map(f)), d);

export const summarize = (r) => ({
  enqueueSingle: col(r.w1, (x) => x.enqueueSingle),
  enqueueBulk: col(r.w1, (x) => x.enqueueBulk),
  p1c10: col(r.w1, (x) => x.p1c10.jobsPerS),
  p2c50: col(r.w1, (x) => x.p2c50.jobsPerS),
  p50: col(r.w2, (x) => x.p50, 1),
  p95: col(r.w2, (x) => x.p95, 1),
  p99: col(r.w2, (x) => x.p99, 1),
  max: col(r.w2, (x) => x.max, 1),
  rss1x10: col(r.w1, (x) => x.p1c10.peakRssMb),
  rss2x50: col(r.w1, (x) => x.p2c50.peakRssMb),
  depth:
    r.w3?.map((p) => ({
      future: p.future,
      completed: p.completed,
      jobsPerS: round(p.jobsPerS),
      relative: round(p.jobsPerS / r.w3[0].jobsPerS, 2),
    })) ?? null,
  tenants: r.w5.length
    ? {
        aloneP50: col(r.w5, (x) => x.alone.p50, 1),
        aloneP99: col(r.w5, (x) => x.alone.p99, 1),
        behindP50: col(r.w5, (x) => x.behind.p50, 1),
        behindP99: col(r.w5, (x) => x.behind.p99, 1),
        ratioP50: col(r.w5, (x) => x.ratioP50, 1),
        ratioP99: col(r.w5, (x) => x.ratioP99, 1),
      }
    : null,
  pinned: r.w6 && {
    free: round(r.w6.free.jobsPerS),
    freeLastToFirst: round(r.w6.free.lastToFirst, 2),
    pinned: round(r.w6.pinned.jobsPerS),
    first: round(r.w6.pinned.rates[0]),
    last: round(r.w6.pinned.rates.at(-1)),
    rounds: r.w6.pinned.rates.length,
    cut: r.w6.pinned.cutAt !== null,
    lastToFirst: round(r.w6.pinned.lastToFirst, 2),
    ofFree: round(r.w6.ofFree, 2),
  },
  duplicateRuns: r.w1.reduce((a, x) => a + x.p1c10.extra + x.p2c50.extra, 0),
});

const mdTable = (head, rows) => {
  const all = [head, ...rows.map((r) => r.map((x) => (x == null ? '-' : String(x))))];
  const w = head.map((_, i) => Math.max(...all.map((r) => r[i].length)));
  const line = (r) => '| ' + r.map((x, i) => (i ? x.padStart(w[i]) : x.padEnd(w[i]))).join(' | ') + ' |';
  return [
    line(all[0]),
    '| ' + w.map((n, i) => (i ? '-'.repeat(n - 1) + ':' : '-'.repeat(n))).join(' | ') + ' |',
    ...all.slice(1).map(line),
  ].join('\n');
};

/** The whole report: `summary` by peer id, `slow` the ids run with a quarter of W1's jobs. */
export function report({ summary, slow, bench, errors, skipped, probes }) {
  const parts = [];
  const section = (title, head, rows) => rows.length && parts.push(title + '\n\n' + mdTable(head, rows));
  const S = Object.entries(summary);
  section(
    `W1 throughput (${P.jobs} trivial jobs, a quarter for those marked *; jobs/s) and W4 peak RSS of one worker process (MB)`,
    [
      'peer',
      'enqueue one by one x16',
      `enqueue bulk ${P.bulk}`,
      '1 proc x 10',
      '2 procs x 50',
      'RSS 1x10',
      'RSS 2x50',
    ],
    S.filter(([, s]) => s.p1c10).map(([id, s]) => [
      id + (slow.has(id) ? ' *' : ''),
      s.enqueueSingle,
      s.enqueueBulk,
      s.p1c10,
      s.p2c50,
      s.rss1x10,
      s.rss2x50,
    ]),
  );
  section(
    `W2 latency, enqueue call to handler start (ms; ${P.latencyJobs} jobs, one every ${P.latencyEveryMs} ms)`,
    ['peer', 'p50', 'p95', 'p99', 'max'],
    S.filter(([, s]) => s.p50).map(([id, s]) => [id, s.p50, s.p95, s.p99, s.max]),
  );
  const cell = (p) => p && `${p.jobsPerS} (${p.relative.toFixed(2)})`;
  section(
    `W3 depth: drain of ${P.depthDrain} jobs, 1 proc x 10, jobs/s (x of empty); all but 'empty' with ${P.completed} completed rows where the peer keeps them`,
    ['peer', 'empty', ...P.depths.map((d) => `${d / 1000}k future`)],
    S.filter(([, s]) => s.depth).map(([id, s]) => [
      id,
      cell(s.depth[0]),
      ...P.depths.map((d) => cell(s.depth.slice(1).find((p) => p.future === d))),
    ]),
  );
  section(
    `W5 tenants: wait from enqueue to start (ms) of ${P.tenants} tenants' ${P.tenantSmall} jobs each, alone and put in behind one tenant's ${P.tenantBig} waiting jobs`,
    ['peer', 'alone p50', 'alone p99', 'behind p50', 'behind p99', 'x at p50', 'x at p99'],
    S.filter(([, s]) => s.tenants).map(([id, { tenants: t }]) => [
      id,
      t.aloneP50,
      t.aloneP99,
      t.behindP50,
      t.behindP99,
      t.ratioP50,
      t.ratioP99,
    ]),
  );
  section(
    `W6 pinned: ${P.pinRounds} rounds of ${P.pinJobs} jobs drained by 1 proc x 10, jobs/s; pinned = with an old snapshot held open; a round of over ${P.pinRoundMaxS} s is cut and is the last`,
    [
      'peer',
      'unpinned',
      'last/first',
      'pinned',
      'rounds',
      'first round',
      'last round',
      'last/first',
      'pinned/unpinned',
    ],
    S.filter(([, s]) => s.pinned).map(([id, { pinned: p }]) => [
      id,
      p.free,
      p.freeLastToFirst,
      p.pinned,
      p.rounds + (p.cut ? ' (cut)' : ''),
      p.first,
      p.last,
      p.lastToFirst,
      p.ofFree,
    ]),
  );
  if (bench)
    section(
      'pgbench on the limit table (per second)',
      ['statement', 'rate'],
      Object.entries(bench)
        .filter(([, v]) => v !== false)
        .map(([k, v]) => [k, round(v)]),
    );
  if (errors.length) parts.push('Failures:\n' + errors.join('\n'));
  if (Object.keys(skipped).length)
    parts.push(
      'Skipped: ' +
        Object.entries(skipped)
          .map(([k, v]) => `${k} (${v})`)
          .join('; '),
    );
  const cm = probes.map((p) => p.commitMs);
  const l1 = probes.map((p) => p.load1);
  if (cm.length)
    parts.push(
      `Noise: one tiny commit took ${Math.min(...cm)} to ${Math.max(...cm)} ms (median ${round(median(cm), 2)}); ` +
        `load average ${Math.min(...l1)} to ${Math.max(...l1)} on ${os.cpus().length} cores`,
    );
  return parts.join('\n\n') + '\n';
}
