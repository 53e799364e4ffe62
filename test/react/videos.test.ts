import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForBrowser } from '../client/bundle.ts';
import { repository } from '../repository/planted.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

let pages: Server;
let api: TestApi;
let token: string;
let worker: Program;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const { code } = await bundleForBrowser(join(repository, 'test/react/videos-page.fixture.ts'));
  let settings = '';
  pages = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.setHeader('connection', 'close');
    response.end(
      isScript
        ? code
        : `<!doctype html><div id="app"></div><script>pageSettings = ${settings}</script><script type="module" src="/page.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  api = await startTestApi({ env: { MILLRACE_CORS_ORIGINS: origin } });
  token = await api.token(await api.makeTenant(), 'tenant_admin');
  settings = JSON.stringify({ url: api.server.graphqlUrl, token });
  worker = startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_DATA_DIR: api.storageDir,
  });
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(origin);
});
afterAll(async () => {
  await browser.close();
  await worker.interrupt();
  await api.close();
  await new Promise((resolve) => pages.close(resolve));
});

const text = async (id: string): Promise<string> => (await page.locator(`#${id}`).textContent()) ?? '';

async function until(id: string, expected: string | RegExp): Promise<void> {
  await waitFor(
    async () => {
      const shown = await text(id);
      return typeof expected === 'string' ? shown === expected : expected.test(shown);
    },
    { describe: `#${id} to show ${expected}` },
  );
}

describe('a page with the hooks for videos', () => {
  it('uploads a file across origins and shows its pipeline until it is ready', async () => {
    await page.setInputFiles('#file', join(repository, 'assets/sample.mp4'));
    await until('sent', /^(\d+) of \1$/);
    await until('video', 'READY');
    expect(await text('video-again')).toBe('READY');
    expect(Number(await text('video-percent'))).toBe(100);
    expect(await text('upload-error')).toBe('');
  });

  it('shows the files of the job that sampled it once that has ended, page by page', async () => {
    await until('frames', /^\d+\.jpg \d+\.jpg$/);
    await until('more-frames', 'true');
    await page.click('#next-frames');
    await until('frames', /^(\d+\.jpg ){3}\d+\.jpg$/);
    expect([await text('frame-types'), await text('frames-error')]).toEqual(['image/jpeg', '']);
    await page.waitForFunction(`document.getElementById('frame').naturalWidth > 0`);
  });

  it('finds a mistyped word in it, cuts a clip of the hit and plays it', async () => {
    await page.locator('#query').pressSequentially('watr wheel');
    await until('found', '1');
    await until('pending', 'false');
    expect((await text('hit')).toLowerCase()).toContain('water');
    expect(await text('search-error')).toBe('');
    await page.click('#cut');
    await until('clip', 'READY');
    await page.waitForFunction(`document.getElementById('player').readyState >= 2`);
  });

  it('keeps lists of videos and clips current, and drops a clip that is deleted', async () => {
    await until('library', 'A lecture READY');
    await until('clips', 'READY');
    const { rows } = await api.superuser.query('select id from millrace.clips');
    const { data } = await api.query(
      token,
      `mutation { deleteClip(input: { id: "${rows[0].id}" }) { __typename } }`,
    );
    expect(data.deleteClip.__typename).toBe('DeleteClipPayload');
    await until('clips', '');
    await until('library', 'A lecture READY');
  });

  it('enqueues from a form, follows the job, counts it, and names the field that is wrong', async () => {
    await page.click('#good');
    await until('enqueued', 'SUCCEEDED');
    await until('succeeded', /^[1-9]/);
    await page.click('#bad');
    await until('enqueue-error', 'INVALID_PAYLOAD payload.message');
    await page.click('#good');
    await until('enqueue-error', '');
    await until('enqueued', 'SUCCEEDED');
  });
});
