import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test('another token in the same tab of the playground opens streams of its own, and nothing of the old one goes on', async () => {
  const tenants = await Promise.all([api.makeTenant(), api.makeTenant()]);
  const tokens = await Promise.all(tenants.map((tenantId) => api.token(tenantId, 'member')));
  const jobs: string[] = [];
  for (const tenantId of tenants) {
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId],
    );
    jobs.push(rows[0].id);
  }
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const streamedWith: (string | undefined)[] = [];
    page.on('request', (request) => {
      const asked = request.postData() ?? decodeURIComponent(request.url());
      if (asked.includes('jobChanges')) streamedWith.push(request.headers()['authorization']);
    });
    // Long texts are broken into lines.
    const shown = async () =>
      (await page.evaluate<string>(`document.querySelector('.result-window').textContent`)).replaceAll(
        /\s/g,
        '',
      );
    for (const [n, token] of tokens.entries()) {
      // The second time only the fragment of the address changes, as when somebody pastes another link.
      await page.goto(`${api.server.graphqlUrl}#token=${token}`);
      await waitFor(() => !page.url().includes('token='), { describe: 'the token to be taken' });
      await page.waitForSelector('.graphiql-execute-button');
      // While the page still settles a click may come too early to change anything.
      await waitFor(
        async () => {
          await page.locator('.graphiql-tab-button:has-text("Watch")').dispatchEvent('click');
          return (await page.locator('.graphiql-query-editor').textContent())?.includes('subscription');
        },
        { describe: 'the tab', pollMs: 200 },
      );
      await page.click('.graphiql-execute-button');
      await waitFor(() => streamedWith.length === n + 1, { describe: 'a stream' });
      // The pane shows the newest event alone, so there is one again and again, of both tenants.
      await waitFor(
        async () => {
          await api.superuser.query('update millrace.jobs set priority = priority + 1');
          return (await shown()).includes(jobs[n] as string);
        },
        { describe: 'an event of the tenant', pollMs: 100 },
      );
      expect(await shown()).not.toContain(jobs[1 - n]);
      // The stream of the page that was left is not open beside it.
      await waitFor(() => api.server.subscriberCount === 1, { describe: 'one subscriber' });
    }
    expect(streamedWith).toEqual(tokens.map((token) => `Bearer ${token}`));
  } finally {
    await browser.close();
  }
  await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
});
