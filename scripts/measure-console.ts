/**
 * `npm run console:measure`: starts a demo of its own and measures the console in Chromium against its goals.
 * Exits with 1 when one is missed by more than a tenth. Times depend on the machine; sizes, shifts and the
 * heap do not.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callApi } from '../src/cli/call-api.ts';
import { openBrowser } from '../test/support/browser.ts';
import { startProgram } from '../test/support/program.ts';
import { waitFor } from '../test/support/wait.ts';
import { enqueueEchoes, type Figure, measurePage } from './console/measure-page.ts';

const CHANGING_JOBS = 10_000;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-measure-'));
// As root, Postgres has a user of its own, who must get in.
chmodSync(dataDir, 0o755);
const demo = startProgram('src/main.ts', ['demo'], {
  MILLRACE_DATA_DIR: dataDir,
  PORT: '0',
  MILLRACE_CALLER_COST_PER_SECOND: '0',
  MILLRACE_TENANT_COST_PER_SECOND: '0',
});
let isMissed = false;
try {
  const { url, graphql, token } = await demo.ready();
  const api = { graphqlUrl: graphql, token };
  // The sample is transcoded first: it would take what is measured.
  await waitFor(
    async () => {
      const { videos } = await callApi<{ videos: { nodes: { status: string }[] } }>(
        api,
        '{ videos(first: 1) { nodes { status } } }',
      );
      return videos.nodes[0]?.status === 'READY';
    },
    { describe: 'the sample', timeoutMs: 240_000, pollMs: 500 },
  );
  await enqueueEchoes(api, 200, 'before');
  const browser = await openBrowser({ isShared: true });
  try {
    const figures = await measurePage(browser, { url, token, api, changingJobs: CHANGING_JOBS });
    for (const figure of figures) {
      const isMet = reached(figure);
      isMissed ||= !isMet;
      const { name, value, goal, unit } = figure;
      console.log(
        `${isMet ? 'met   ' : 'MISSED'} ${name}: ${value.toFixed(unit === '' ? 4 : 1)} ${unit} (${goal.kind} ${goal.value})`,
      );
    }
  } finally {
    await browser.close();
  }
} finally {
  await demo.interrupt();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = isMissed ? 1 : 0;

function reached({ value, goal }: Figure): boolean {
  return goal.kind === 'at most' ? value <= goal.value * 1.1 : value >= goal.value * 0.9;
}
