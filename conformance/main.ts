import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkEventStream } from './checks/event-stream.ts';
import { checkHostile } from './checks/hostile.ts';
import { checkHttp } from './checks/http.ts';
import { checkSchema } from './checks/schema.ts';
import { checkSocket } from './checks/socket.ts';
import { Report } from './report.ts';
import { openConformanceStage } from './stage.ts';
import type { Target } from './target.ts';

// `npm run conformance`: a server process in production mode against the specifications that it claims to
// keep.

const SCHEMA = new URL('../schema.graphql', import.meta.url);

interface Tool {
  /** How its server differs from one in production. */
  readonly settings: Readonly<Record<string, string>>;
  readonly look: (target: Target, report: Report) => Promise<void>;
}

/** The schema needs no server. */
const TOOLS: Readonly<Record<string, Tool>> = {
  // Some of its audits ask the schema for its types.
  http: { settings: { MILLRACE_INTROSPECTION: 'always' }, look: checkHttp },
  socket: { settings: {}, look: checkSocket },
  sse: { settings: {}, look: checkEventStream },
  hostile: { settings: {}, look: checkHostile },
};

const { positionals } = parseArgs({ allowPositionals: true });
const names = ['schema', ...Object.keys(TOOLS)];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no tool ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(2);
}
const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));

// So that what runs at the exit of a process runs: it stops Postgres.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const summary: string[] = [];
async function run(name: string, look: (report: Report) => Promise<void>): Promise<void> {
  console.log(`\n${name}`);
  const report = new Report();
  await look(report);
  const { passed, failed, skipped } = report.counts();
  summary.push(`${name.padEnd(8)} ${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) process.exitCode = 1;
}

if (chosen.includes('schema')) {
  const sdl = await readFile(SCHEMA, 'utf8');
  await run('schema', (report) => checkSchema(sdl, report));
}
const onServer = Object.entries(TOOLS).filter(([name]) => chosen.includes(name));
if (onServer.length > 0) {
  await using stage = await openConformanceStage();
  for (const [name, { settings, look }] of onServer) {
    const target = await stage.serve(settings);
    await run(name, (report) => look(target, report));
  }
}
console.log(`\nSummary (skipped: a SHOULD or MAY that does not hold)\n${summary.join('\n')}`);
