import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../scripts/console/build-console.ts';
import { repository } from '../repository/planted.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { type Program, startProgram } from '../support/program.ts';

/** The real server with the built console, a worker of its own, a tenant with an admin. */
export interface OpenedConsole {
  readonly api: TestApi;
  readonly tenantId: string;
  readonly token: string;
  /** Problems that pages have had: errors of scripts, and of the policy. */
  readonly problems: string[];
  /** A page at a path of the console, signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  graphql(document: string, variables?: object): Promise<Record<string, never>>;
  close(): Promise<void>;
}

/** @param env settings of the server and its worker */
export async function openConsole(env: Readonly<Record<string, string>> = {}): Promise<OpenedConsole> {
  await buildConsole(repository);
  const api = await startTestApi({ env });
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'tenant_admin');
  const worker: Program = startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_DATA_DIR: api.storageDir,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_SPEECH_PROVIDER: 'segments',
    ...env,
  });
  let browser: Browser | undefined;
  const problems: string[] = [];
  return {
    api,
    tenantId,
    token,
    problems,
    open: async (path, options = {}) => {
      // This Chromium ends with its page.
      await browser?.close();
      browser = await openBrowser();
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
      page.setDefaultTimeout(30_000);
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (/Content.Security.Policy|Refused to/.test(message.text())) problems.push(message.text());
      });
      await page.goto(`${api.url}/console${path}#token=${token}`);
      return page;
    },
    graphql: async (document, variables) => {
      const { data, errors } = await api.query(token, document, variables);
      if (errors.length > 0) throw new Error(JSON.stringify(errors));
      return data;
    },
    close: async () => {
      await browser?.close();
      await worker.interrupt();
      await api.close();
    },
  };
}

export const SAMPLE = join(repository, 'assets/sample.mp4');
