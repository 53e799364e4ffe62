import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { toError } from '../src/core/errors.ts';
import { callPipeline } from './measures/call-pipeline.ts';
import { callsWaiting } from './measures/calls-waiting.ts';
import { claimCost } from './measures/claim-cost.ts';
import { clip } from './measures/clip.ts';
import { commandStart } from './measures/command-start.ts';
import { demoStart } from './measures/demo-start.ts';
import { drain } from './measures/drain.ts';
import { enqueue } from './measures/enqueue.ts';
import { fanOut } from './measures/fan-out.ts';
import { feedSize } from './measures/feed-size.ts';
import { footprint } from './measures/footprint.ts';
import { idleFleet } from './measures/idle-fleet.ts';
import { jobLogs } from './measures/job-logs.ts';
import { linksSearch } from './measures/links-search.ts';
import { manyTenants } from './measures/many-tenants.ts';
import { memory } from './measures/memory.ts';
import { migrateSize } from './measures/migrate-size.ts';
import { ocr } from './measures/ocr.ts';
import { oldSnapshot } from './measures/old-snapshot.ts';
import { overhead } from './measures/overhead.ts';
import { pgmq } from './measures/pgmq.ts';
import { progress } from './measures/progress.ts';
import { rest } from './measures/rest.ts';
import { retentionRate } from './measures/retention-rate.ts';
import { sample } from './measures/sample.ts';
import { search } from './measures/search.ts';
import { size } from './measures/size.ts';
import { sqlWake } from './measures/sql-wake.ts';
import { startLatency } from './measures/start-latency.ts';
import { subscriberLatency } from './measures/subscriber-latency.ts';
import { transcodeRatio } from './measures/transcode-ratio.ts';
import { triggers } from './measures/triggers.ts';
import { videoPipeline } from './measures/video-pipeline.ts';
import { worstNeighbour } from './measures/worst-neighbour.ts';
import { describeFigure, type Figure } from './measuring/figure.ts';
import { FULL, type Measure, QUICK } from './measuring/measure.ts';

const MEASURES: readonly Measure[] = [
  memory,
  footprint,
  demoStart,
  overhead,
  startLatency,
  sqlWake,
  progress,
  subscriberLatency,
  fanOut,
  worstNeighbour,
  size,
  feedSize,
  migrateSize,
  retentionRate,
  jobLogs,
  idleFleet,
  drain,
  manyTenants,
  enqueue,
  rest,
  claimCost,
  oldSnapshot,
  transcodeRatio,
  sample,
  ocr,
  videoPipeline,
  clip,
  callPipeline,
  callsWaiting,
  pgmq,
  linksSearch,
  search,
  triggers,
  commandStart,
];

const USAGE = `npm run bench -- [--quick] [--clients N] [name …]

${MEASURES.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join('\n')}

  --quick              small sizes, to see that the harness works; its figures say little
  --clients N          subscribers of fan-out; 10000 by default
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    clients: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((given) => !MEASURES.some(({ name }) => name === given));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no measure ${unknown.join(', ')}.\n`);
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

// So that what runs at the exit of a process runs: it stops Postgres and removes directories.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const load = (): string => loadavg()[0]?.toFixed(2) ?? '?';
const amount = values.quick ? QUICK : FULL;
const effort = { ...amount, clients: Number(values.clients ?? amount.clients) };
console.log(
  `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? '?'}, ${process.platform} ${process.arch}` +
    `${values.quick ? '; QUICK: these figures say little' : ''}`,
);
console.log('Each figure with its 90 % bootstrap interval and the number of samples, pairs or starts.\n');

const chosen = MEASURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const summary: string[] = [];
for (const { name, title, run } of chosen) {
  console.log(`${name}: ${title}`);
  const loadBefore = load();
  try {
    const figures: readonly Figure[] = await run({ effort, say: (line) => console.log(`    ${line}`) });
    const lines = [...figures.map(describeFigure), `  load average ${loadBefore} before, ${load()} after`];
    console.log(`${lines.join('\n')}\n`);
    summary.push(`${name} (load ${loadBefore} → ${load()})`, ...figures.map(describeFigure));
  } catch (thrown) {
    process.exitCode = 1;
    console.log(`  FAILED: ${toError(thrown).stack ?? thrown}\n`);
    summary.push(name, '  FAILED');
  }
}
if (chosen.length > 1) console.log(`Summary\n\n${summary.join('\n')}`);
