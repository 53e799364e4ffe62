/**
 * `npm run console:shots [-- <folder>]`: starts a demo of its own, gives it something to show, and takes a
 * picture of every page of the console in both themes at 1280 and 390 px. The pictures go to
 * `.tmp/console-shots` unless a folder is named.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { callApi } from '../src/cli/call-api.ts';
import { ARTICLE } from '../test/domains/links/support/pages.ts';
import { startStrangeServer } from '../test/outgoing/strange-server.ts';
import { openBrowser } from '../test/support/browser.ts';
import { startProgram } from '../test/support/program.ts';
import { waitFor } from '../test/support/wait.ts';
import { buildConsole } from './console/build-console.ts';
import { makeDemoCall } from './console/demo-call.ts';
import { fillDemo, keepBusy } from './console/fill-demo.ts';
import { fillLinks } from './console/fill-links.ts';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, '.tmp/console-shots'));
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-shots-'));
// As root, Postgres has a user of its own, who must get in.
chmodSync(dataDir, 0o755);
mkdirSync(folder, { recursive: true });
/** Longer than a page takes on a machine that transcodes beside it. */
const PATIENCE_MS = 180_000;

await buildConsole(root);
// A page that links can be read from, as if it were anywhere.
const site = await startStrangeServer({
  '/post': (_request, response) => void response.setHeader('content-type', 'text/html').end(ARTICLE),
});
const demo = startProgram('src/main.ts', ['demo'], {
  MILLRACE_DATA_DIR: dataDir,
  MILLRACE_OUTGOING_ALLOWED: '127.0.0.2',
  PORT: '0',
});
try {
  const { url, graphql, token } = await demo.ready();
  const api = { graphqlUrl: graphql, token };
  const jobId = await fillDemo(api);
  const linkId = await fillLinks(api, `http://127.0.0.2:${site.port}/post`);
  const ready = async (): Promise<string | undefined> => {
    const { videos } = await callApi<{ videos: { nodes: { uuid: string; status: string }[] } }>(
      api,
      '{ videos(first: 1) { nodes { uuid status } } }',
    );
    return videos.nodes.find(({ status }) => status === 'READY')?.uuid;
  };
  await waitFor(async () => (await ready()) !== undefined, { describe: 'the sample', timeoutMs: 180_000 });
  const callId = await makeDemoCall(api, dataDir);
  const ofDefinition = async (key: string): Promise<string> => {
    const { jobs } = await callApi<{ jobs: { nodes: { uuid: string }[] } }>(
      api,
      `{ jobs(first: 1, filter: { definitions: ["${key}"], statuses: [SUCCEEDED] }) { nodes { uuid } } }`,
    );
    return jobs.nodes[0]?.uuid ?? '';
  };
  const pages = {
    overview: '/',
    jobs: '/jobs',
    job: `/jobs/${jobId}`,
    data: `/jobs/${jobId}?tab=data`,
    log: `/jobs/${await ofDefinition('segment_index')}?tab=log`,
    frames: `/jobs/${await ofDefinition('sample')}?tab=files`,
    stream: `/jobs/${await ofDefinition('transcode')}?tab=files`,
    found: '/jobs?payload=message=hello&attempts=1',
    definitions: '/definitions',
    statistics: '/definitions/echo?tab=statistics',
    enqueue: '/definitions/echo',
    schedules: '/schedules',
    schedule: '/schedules?edit=new',
    triggers: '/triggers',
    webhooks: '/webhooks',
    events: '/triggers?tab=events',
    videos: '/videos',
    video: `/videos/${await ready()}?t=3`,
    calls: '/calls',
    ...(callId !== undefined && { call: `/calls/${callId}?t=8.5`, said: '/calls?q=insurence' }),
    search: '/search?q=water',
    links: '/links',
    'links-found': '/links?q=water+wheel',
    link: `/links/${linkId}`,
    messages: '/messages',
    settings: '/settings',
    members: '/settings?tab=members',
    keys: '/settings?tab=keys',
    audit: '/settings?tab=audit',
    workers: '/workers',
    tenants: '/tenants',
  };
  const superToken = execFileSync(
    process.execPath,
    ['src/main.ts', 'token', 'create', '--tenant', 'demo', '--role', 'super_admin', '--sub', 'root'],
    { encoding: 'utf8', env: { ...process.env, MILLRACE_DATA_DIR: dataDir } },
  ).trim();
  await keepBusy(api, superToken);
  for (const width of [1280, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      const browser = await openBrowser();
      const page = await browser.newPage({
        viewport: { width, height: width < 600 ? 844 : 800 },
        colorScheme,
      });
      await page.goto(`${url}/console#token=${token}`);
      for (const [name, path] of Object.entries(pages)) {
        // From here on the pages of super admins.
        if (name === 'workers') await page.goto(`${url}/console#token=${superToken}`);
        await page.goto(`${url}/console${path}`, { waitUntil: 'commit', timeout: PATIENCE_MS });
        await page.locator('main h1').first().waitFor({ timeout: PATIENCE_MS });
        await page.locator('.skeleton').first().waitFor({ state: 'detached', timeout: PATIENCE_MS });
        await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
        const file = join(folder, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        console.log(file);
      }
      await browser.close();
    }
} finally {
  await demo.interrupt();
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
}
