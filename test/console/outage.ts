import { setTimeout as after } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

const JOBS = 1_000;

/** Rows by the words of their badges. */
async function rowsWith(page: Page, word: string): Promise<number> {
  return Number(
    await page.evaluate(
      `[...document.querySelectorAll('table.jobs tbody .badge')].filter((each) => each.textContent === '${word}').length`,
    ),
  );
}

/** A server that goes away and comes back, under a page that nobody reloads. */
export function outage(tools: () => ConsoleTools): void {
  describe('a page that is open while its server is gone', () => {
    it('ends right for each of 1,000 jobs that have changed in those five seconds, without a reload', async () => {
      const { api, enqueue } = tools();
      await enqueue(JOBS, (index) => ({
        payload: { message: `job ${index}` },
        tags: ['gap'],
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const page = await tools().open('/jobs?tag=gap');
      await page.evaluate('globalThis.isSamePage = true');
      await waitFor(
        async () => {
          // In the page: a locator would wait for the button that is gone with the last rows.
          await page.evaluate(`document.querySelector('.more button:not(:disabled)')?.click()`);
          return (await rowsWith(page, 'Queued')) === JOBS;
        },
        { describe: 'all rows to be shown', timeoutMs: 60_000, pollMs: 50 },
      );
      await api.restart(async () => {
        await api.superuser.query(`update millrace.jobs set scheduled_for = now() where 'gap' = any(tags)`);
        await after(5_000);
        await waitFor(
          async () =>
            (await tools().countOf(
              `select count(*) from millrace.jobs where status = 'succeeded' and 'gap' = any(tags)`,
            )) === JOBS,
          { describe: 'the worker to have run them all', timeoutMs: 60_000 },
        );
      });
      await waitFor(async () => (await rowsWith(page, 'Succeeded')) === JOBS, {
        describe: 'all rows to have succeeded',
        timeoutMs: 60_000,
        pollMs: 250,
      });
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
      expect(await page.locator('table.jobs tr.gone').count()).toBe(0);
    });
  });
}
