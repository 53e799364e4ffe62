import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleForBrowser } from '../client/bundle.ts';
import { repository } from '../repository/planted.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

let pages: Server;
let origin: string;
let api: TestApi;
let proxy: CutProxy;
let worker: Program;
let token: string;
let transport = 'ws';
/** Of the list, before the page does anything. */
const ROWS = 40;

beforeAll(async () => {
  const { code } = await bundleForBrowser(join(repository, 'test/react/page.fixture.ts'));
  pages = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.setHeader('connection', 'close');
    const settings = JSON.stringify({ url: proxy.url, token, transport });
    response.end(
      isScript
        ? code
        : `<!doctype html><title>ok</title><div id="app"></div><script>settings = ${settings}</script><script type="module" src="/page.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  api = await startTestApi({ env: { MILLRACE_CORS_ORIGINS: origin } });
  proxy = await startCutProxy(api.server.graphqlUrl);
  const tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
     select $1, d.id, 'succeeded', now() from millrace.job_definitions d, generate_series(1, $2::integer) where d.key = 'echo'`,
    [tenantId, ROWS],
  );
  worker = startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_DATA_DIR: api.storageDir,
  });
});
afterAll(async () => {
  await worker.interrupt();
  await proxy.close();
  await api.close();
  await new Promise((resolve) => pages.close(resolve));
});

const text = async (page: Page, id: string): Promise<string> =>
  (await page.locator(`#${id}`).first().textContent()) ?? '';

/** In a browser of its own: this Chromium ends with its page. */
async function openPage(over: 'ws' | 'sse'): Promise<Page> {
  transport = over;
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  return page;
}

describe('a page with the hooks in strict mode', () => {
  it.each(['ws', 'sse'] as const)(
    'shows a job’s progress over %s, through cut connections, to its end',
    async (over) => {
      const page = await openPage(over);
      await waitFor(async () => (await text(page, 'ready')) === 'true', {
        describe: 'the list',
      });
      const before = await page.locator('#list li').count();
      expect(before).toBeGreaterThanOrEqual(ROWS);
      await page.click('#start');
      await page.waitForFunction(`document.querySelectorAll('#list li').length === ${before + 1}`);
      await page.waitForFunction(`Number(document.getElementById('percent').innerText) >= 10`);
      expect(await text(page, 'status')).toBe('RUNNING');
      // One stream for all rows of a list, and one that the components of the job share.
      // Strict mode mounts twice, and what the first mount opened is released soon after.
      await expect.poll(() => api.server.subscriberCount).toBe(2);
      const broken = page.waitForFunction(
        `document.getElementById('connection').innerText === 'waiting'`,
        null,
        { polling: 5 },
      );
      onTestFinished(() => proxy.set('pass'));
      proxy.set('refuse');
      proxy.cut();
      await broken;
      const shown = Number(await text(page, 'percent'));
      expect(await text(page, 'error')).toBe('NETWORK');
      proxy.set('pass');
      await page.waitForFunction(`Number(document.getElementById('percent').innerText) > ${shown}`);
      await page.waitForFunction(`document.getElementById('status').innerText === 'SUCCEEDED'`);
      expect(await text(page, 'connection')).toBe('live');
      expect(await text(page, 'error')).toBe('');
      expect(await page.title()).toBe('ok');
      await page.close();
      await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
    },
    120_000,
  );

  it('leaves nothing open when it shows something else, and comes back', async () => {
    const page = await openPage('ws');
    await waitFor(async () => (await text(page, 'ready')) === 'true', {
      describe: 'the list',
    });
    await page.evaluate('show(false)');
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
    await waitFor(() => proxy.connectionCount === 0, { describe: 'the socket to close' });
    await page.evaluate('show(true)');
    await waitFor(async () => (await text(page, 'ready')) === 'true', {
      describe: 'the list again',
    });
  });
});
