import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { openServer, type RunningServer } from '../../src/open-server.ts';
import { findFreePort } from '../../src/postgres/free-port.ts';
import { TEST_SECRET } from '../support/api.ts';
import { silentLog } from '../support/queue.ts';
import type { ConsoleTools } from './opened-console.ts';
import { startPathProxy } from './path-proxy.ts';

const PATH = '/tools/millrace';

/** The console behind a proxy that has put it below a path. */
export function belowAPath(tools: () => ConsoleTools): void {
  describe('the console below a path of another site', () => {
    it('signs in, goes from page to page, streams, and opens the address of a job, asking for nothing outside', async () => {
      const { api, openAt, token, jobId, problems } = tools();
      let server: RunningServer | undefined;
      const port = await findFreePort();
      const proxy = await startPathProxy(PATH, port);
      try {
        server = await openServer({
          config: loadConfig({
            PORT: String(port),
            MILLRACE_JWT_SECRET: TEST_SECRET,
            MILLRACE_SIGNING_SECRET: TEST_SECRET,
            MILLRACE_STORAGE_DIR: api.storageDir,
            MILLRACE_LOG_LEVEL: 'silent',
            MILLRACE_PUBLIC_URL: `${proxy.origin}${PATH}`,
          }),
          databaseUrl: api.databaseUrl,
          log: silentLog,
        });
        const page = await openAt(`${proxy.origin}${PATH}/console/definitions?q=echo`);
        await page.waitForTimeout(6000);

        await page.getByLabel('API key or token').fill(token);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('link', { name: 'echo', exact: true }).waitFor();
        await page.getByText('Live', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Jobs', exact: true }).click();
        await page.waitForURL(`${proxy.origin}${PATH}/console/jobs`);
        await page.locator('table.jobs tbody tr').first().waitFor();
        await page.goto(`${proxy.origin}${PATH}/console/jobs/${jobId}?tab=data`);
        await page.getByRole('region', { name: 'Payload' }).getByText('"message"').waitFor();
        await page.reload();
        await page.getByRole('region', { name: 'Payload' }).getByText('"message"').waitFor();
        await page.getByText('Live', { exact: true }).waitFor();
        expect(proxy.strays).toEqual([]);
        expect(problems).toEqual([]);
        // Its sockets go before the proxy does.
        await page.goto('about:blank');
      } finally {
        await server?.stop();
        await proxy.close();
      }
    });
  });
}
