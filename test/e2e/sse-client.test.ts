import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleForBrowser } from '../client/bundle.ts';
import { movesOf } from '../client/watching.ts';
import { repository } from '../repository/planted.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';

const WATCHES = 12;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test('a page with twelve watches over event streams can still enqueue, and each watch sees its job end', async () => {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'tenant_admin');
  const { code } = await bundleForBrowser(join(repository, 'src/client/index.ts'));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    // Any document of the server's origin: the page's own policy must not stand in the way of the bundle.
    await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }));
    await page.goto(new URL('/blank', api.server.graphqlUrl).href);
    await page.evaluate(
      `(async () => {
        const url = URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }));
        const { createMillraceClient } = await import(url);
        const client = createMillraceClient({ url: '/graphql', token: ${JSON.stringify(token)}, transport: 'sse' });
        globalThis.seen = {};
        globalThis.watched = [];
        for (let n = 0; n < ${WATCHES}; n++) {
          const { job } = await client.enqueue({ definition: 'echo', payload: { message: 'hi' } });
          watched.push(job.uuid);
          void (async () => {
            for await (const state of client.watchJob(job.id)) seen[job.uuid] = state?.status;
          })();
          // Each after the one before has come, as rows of a page that is scrolled.
          while (seen[job.uuid] === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })()`,
    );
    const watched = await page.evaluate<string[]>('watched');
    expect(watched).toHaveLength(WATCHES);
    const moves = movesOf(api, tenantId);
    for (const uuid of watched) {
      await moves.run(uuid);
      await moves.finish(uuid);
    }
    await waitFor(
      async () =>
        Object.values(await page.evaluate<Record<string, string>>('seen')).every((s) => s === 'SUCCEEDED'),
      {
        describe: 'every watch to see its end',
      },
    );
  } finally {
    await browser.close();
  }
});
