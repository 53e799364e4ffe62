import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';
import { type Platform, startPlatform } from './platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  await platform.startWorker();
});
afterAll(() => platform.close());

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const documents = [...readme.matchAll(/^```graphql\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);
const nameOf = (document: string) =>
  /^(?:query|mutation|subscription) (\w+)/.exec(document)?.[1] ?? 'unnamed';

describe('the first session in the README', () => {
  test('has documents to try', () => {
    expect(documents.map(nameOf)).toEqual([
      'Who',
      'Enqueue',
      'Watch',
      'Recent',
      'Wrong',
      'Many',
      'Waiting',
      'StopMany',
      'Search',
    ]);
  });

  test.each(
    documents
      .filter((document) => !document.startsWith('subscription'))
      .map((document) => [nameOf(document), document]),
  )('works when %s is pasted as it is', async (name, document) => {
    const data =
      await platform.api<
        Record<string, { readonly __typename?: string; readonly field?: string; readonly allowed?: string }>
      >(document);
    const result = data['enqueueJob'];
    if (name === 'Enqueue') expect(result?.__typename).toBe('EnqueueJobPayload');
    if (name === 'Wrong')
      expect(result).toMatchObject({
        __typename: 'InvalidPayloadError',
        field: expect.stringContaining('message'),
        allowed: expect.any(String),
      });
    // In the page's order: what is put in for later is then waited for, and in the end canceled.
    if (name === 'Many')
      expect(data['enqueueJobs']).toMatchObject({
        results: [
          { __typename: 'EnqueueJobPayload', isNew: true },
          { __typename: 'InvalidPayloadError', field: 'input.jobs[1].payload.message' },
        ],
      });
    if (name === 'Waiting')
      expect(data['jobs']).toMatchObject({ nodes: [{ waitingFor: { reason: 'TIME' } }] });
    if (name === 'StopMany') expect(data['cancelJobs']).toMatchObject({ matchedCount: 1, canceledCount: 1 });
  });

  test('streams when the subscription is pasted as it is', async () => {
    const socket = openSocket(platform.graphqlUrl, { token: platform.token });
    const stream = socket.subscribe(
      documents.find((document) => document.startsWith('subscription')) as string,
    );
    await stream.next(
      (message) => message.data?.jobChanges.__typename === 'FeedReady',
      'the feed to be ready',
    );
    stream.stop();
    await socket.close();
  });
});

describe('the playground', () => {
  test('runs each of its tabs as it is, the subscription included, with the token of the link and no network but ours', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const foreign: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => {
        if (
          !/^(data|blob):/.test(request.url()) &&
          !request.url().startsWith(new URL(platform.graphqlUrl).origin)
        )
          foreign.push(request.url());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(`${platform.graphqlUrl}#token=${platform.token}`);
      await page.waitForSelector('.graphiql-execute-button');
      expect(page.url()).not.toContain(platform.token);
      for (const tab of ['Viewer', 'EnqueueEcho', 'Jobs', 'Watch', 'Batch', 'Pipelines']) {
        // By the DOM: while the page still settles, a mouse click lands where the tab was a moment ago.
        // And while the machine is busy, a click may come too early to change anything.
        await waitFor(
          async () => {
            await page.locator(`.graphiql-tab-button:has-text("${tab}")`).first().dispatchEvent('click');
            return (await page.locator('.graphiql-query-editor').textContent())?.includes(tab);
          },
          { describe: `the tab ${tab}`, pollMs: 200 },
        );
        await page.click('.graphiql-execute-button');
        const expected = {
          Viewer: 'TENANT_ADMIN',
          EnqueueEcho: 'EnqueueJobPayload',
          Jobs: '"jobs"',
          Watch: '"jobChanges"',
          Batch: '"waitingFor"',
          Pipelines: '"videos"',
        }[tab] as string;
        await answered(page, expected);
      }
      expect({ foreign, problems }).toEqual({ foreign: [], problems: [] });
    } finally {
      await browser.close();
    }
  });
});

/**
 * Waits until the answer pane shows a text; what it shows instead is in the failure. GraphiQL reads a tab's
 * operation a moment after it shows it: a user who runs it sooner gets the error that the operation of the
 * tab before cannot be inferred, and runs it again.
 */
async function answered(page: Page, text: string): Promise<void> {
  const shown = async () => {
    const answer = await page.evaluate<string>(
      `[...document.querySelectorAll('.result-window .view-line')].map((line) => line.textContent.replaceAll('\\u00a0', ' ')).join('\\n')`,
    );
    if (answer.includes('Cannot infer operation')) await page.click('.graphiql-execute-button');
    return answer;
  };
  await expect.poll(shown).toContain(text);
}
