import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createServer as createVite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

/** What a page of the user's comes to: by HTTP, and by a socket. */
interface Reached {
  readonly http: string;
  readonly socket: string;
}

let directory: string;
let demo: Program;
let url: string;
let token: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-origins-'));
  // As root, Postgres has a user of its own: one that could not enter would have its data, and be left, in
  // /var/lib/millrace.
  await chmod(directory, 0o755);
  demo = startProgram('src/main.ts', ['demo'], { PORT: '0', MILLRACE_DATA_DIR: join(directory, 'data') });
  ({ url, token } = await demo.ready());
});
afterAll(async () => {
  await demo.interrupt();
  await rm(directory, { recursive: true, force: true });
});

async function reach(page: Page, api: string): Promise<Reached> {
  return await page.evaluate<Reached, { api: string; token: string }>(
    async ({ api: base, token: bearer }) => {
      const http = fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: '{"query":"{ viewer { name } }"}',
      }).then(
        async (response) => (await response.json()).data.viewer.name as string,
        (error: Error) => `failed: ${error.message}`,
      );
      const address = new URL(`${base}/graphql`, location.href).href.replace(/^http/, 'ws');
      const socket = new Promise<string>((resolve) => {
        const opened = new WebSocket(address, 'graphql-transport-ws');
        opened.onopen = () =>
          opened.send(JSON.stringify({ type: 'connection_init', payload: { token: bearer } }));
        opened.onmessage = (event) => {
          resolve((JSON.parse(event.data) as { type: string }).type);
          opened.close();
        };
        opened.onerror = () => resolve('failed');
      });
      return { http: await http, socket: await socket };
    },
    { api, token },
  );
}

/** Opens a page of a server of its own on this host name, as a frontend's development server is. */
async function onPage<T>(host: string, use: (page: Page) => Promise<T>): Promise<T> {
  const pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').setHeader('connection', 'close').end('<title>x</title>'),
  );
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`);
    return await use(page);
  } finally {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
  }
}

describe('a page that a development server on this machine serves', () => {
  test('calls the demo’s API without any setting', async () => {
    expect(await onPage('localhost', (page) => reach(page, url))).toEqual({
      http: 'user:demo',
      socket: 'connection_ack',
    });
  });

  test.each([false, true])(
    'reaches it through the proxy of the README’s recipe, with changeOrigin %s',
    async (changeOrigin) => {
      const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
      const recipe = /^```ts\n\/\/ vite\.config\.ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? '';
      expect(recipe).toContain('http://127.0.0.1:4000');
      const root = await mkdtemp(join(directory, 'page-'));
      const config = join(root, 'vite.config.mjs');
      const target = recipe.replaceAll('http://127.0.0.1:4000', url);
      await writeFile(
        config,
        changeOrigin ? target.replace('ws: true', 'ws: true, changeOrigin: true') : target,
      );
      await writeFile(join(root, 'index.html'), '<title>x</title>');
      const vite = await createVite({
        root,
        configFile: config,
        logLevel: 'silent',
        server: { host: '127.0.0.1', port: 0 },
      });
      await vite.listen();
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(vite.resolvedUrls?.local[0] ?? '');
        expect(await reach(page, '')).toEqual({ http: 'user:demo', socket: 'connection_ack' });
      } finally {
        await browser.close();
        await vite.close();
      }
    },
    120_000,
  );
});

test('a page of any other host is refused, in words that name the setting, and the log says so once', async () => {
  const origin = 'https://app.example';
  const send = () =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"query":"{ viewer { name } }"}',
    });
  for (const answer of [await send(), await send()]) {
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await answer.json()).errors[0]).toMatchObject({
      message: `Pages of ${origin} may not call here; allowed: pages of the same host, and the origins in MILLRACE_CORS_ORIGINS`,
      extensions: { code: 'CROSS_SITE_REFUSED' },
    });
  }
  const warnings = () => demo.stderr().split(`Pages of ${origin} may not call here`).length - 1;
  await waitFor(() => warnings() > 0, { describe: 'the warning' });
  expect(warnings()).toBe(1);
  for (const bad of [
    'http://localhost.evil.example:5173',
    'http://localhost:5173.evil.example',
    'http://evil@localhost:1',
    'null',
  ])
    expect(
      (await fetch(`${url}/graphql`, { headers: { origin: bad, authorization: `Bearer ${token}` } })).status,
    ).toBe(403);
});
