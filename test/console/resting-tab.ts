import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import { type ApiBetween, standBetween } from './api-between.ts';
import type { ConsoleTools } from './opened-console.ts';

const namesOf = ({ asked }: ApiBetween, kind = /(?:query|subscription) (\w+)/): readonly string[] =>
  [...new Set(asked.flatMap(({ query }) => kind.exec(query)?.[1] ?? []))].toSorted();
/**
 * Without streams: a jump of the clock may look like a connection that broke, whose streams go on on another.
 */
const readsOf = (between: ApiBetween): readonly string[] => namesOf(between, /query (\w+)/);

/**
 * The list is shown and its stream stands, and what came between the two is read: that is one more read,
 * which a page on a busy machine may begin late.
 */
async function untilListStands(page: Page, between: ApiBetween): Promise<void> {
  await page.locator('table.jobs .badge', { hasText: 'Queued' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await waitFor(() => between.readyLists === 1, { describe: 'the list’s stream to have a cursor' });
  await waitFor(() => between.asked.filter(({ query }) => query.startsWith('query JobPage')).length === 2, {
    describe: 'the list to be read again',
  });
  await untilAnswered(between);
}

async function untilAnswered(between: ApiBetween): Promise<void> {
  await waitFor(() => between.unanswered === 0, { describe: 'the answers to what is asked' });
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(
    `Object.defineProperties(document, {
       hidden: { get: () => ${isHidden}, configurable: true },
       visibilityState: { get: () => '${isHidden ? 'hidden' : 'visible'}', configurable: true },
     }); document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
  );
}

/** What a tab costs its server while nobody does anything in it, by a clock that the test moves. */
export function restingTab(tools: () => ConsoleTools): void {
  describe('a tab', () => {
    it('has its counts from the summary alone, asks for nothing that streams bring, and rests once it has been hidden for a minute', async () => {
      const { open, enqueue, graphql } = tools();
      const [uuid] = await enqueue(1, () => ({
        payload: { message: 'later' },
        tags: ['resting'],
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const page = await open('/settings', { reducedMotion: 'reduce', colorScheme: 'light' });
      await page.clock.install();
      // What the page that was opened still asks for is none of the next one's reads.
      await page.goto('about:blank');
      const between = await standBetween(page);
      await page.goto(`${tools().api.url}/console/jobs?tag=resting`);
      await untilListStands(page, between);
      const all = page.getByRole('navigation', { name: 'States' }).getByRole('button', { name: /^All/ });
      await all.filter({ hasText: /All[≥ ]*[1-9]/ }).waitFor();
      // The list is filtered and the counts are not: they are no count of the list.
      expect(namesOf(between)).toEqual(['JobChanges', 'JobPage', 'JobSummaryChanged', 'Viewer']);
      expect(between.asked.filter(({ query }) => /total_?count/i.test(query))).toEqual([]);
      between.forget();
      await page.clock.fastForward(55_000);
      await page.clock.fastForward(55_000);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(readsOf(between)).toEqual([]);

      // A page that no stream keeps current reads again while it is seen, and not while it is hidden.
      await page.getByRole('link', { name: 'Definitions', exact: true }).click();
      await page.getByRole('link', { name: 'echo', exact: true }).waitFor();
      await waitFor(() => readsOf(between).length === 2, { describe: 'the page to be read' });
      between.forget();
      await page.clock.fastForward(15_000);
      await waitFor(() => readsOf(between).length === 2, { describe: 'the page to be read again' });
      expect(readsOf(between)).toEqual(['Definitions', 'Statistics']);
      await setHidden(page, true);
      await untilAnswered(between);
      between.forget();
      await page.clock.fastForward(55_000);
      await waitFor(() => between.openSockets === 1, {
        describe: 'the streams of a tab that was hidden just now',
      });
      expect(readsOf(between)).toEqual([]);
      await setHidden(page, false);

      await page.goto('about:blank');
      between.forget();
      await page.goto(`${tools().api.url}/console/jobs?tag=resting`);
      await untilListStands(page, between);
      await setHidden(page, true);
      between.forget();
      await page.clock.fastForward(61_000);
      await waitFor(() => between.openSockets === 0, { describe: 'the tab to leave its streams' });
      await graphql(`mutation { cancelJob(input: { id: "${uuid}" }) { __typename } }`);
      await page.clock.fastForward(600_000);
      expect(between.openSockets).toBe(0);
      expect(between.asked).toEqual([]);
      await setHidden(page, false);
      await page.locator('table.jobs .badge', { hasText: 'Canceled' }).waitFor();
      const again = between.asked.find(({ query }) => query.includes('subscription JobChanges'));
      expect(again?.variables).toMatchObject({ after: expect.any(String) });
      expect(namesOf(between)).toEqual(['JobChanges', 'JobSummaryChanged']);
      expect(tools().problems).toEqual([]);
    });
  });
}
