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

/** Page by page. */
async function showAll(page: Page, count: number): Promise<void> {
  const table = page.locator(`table.jobs[aria-rowcount="${count + 1}"]`);
  await waitFor(
    async () => {
      // In the page: a locator would wait for the button that is gone with the last rows.
      await page.evaluate(`document.querySelector('.more button:not(:disabled)')?.click()`);
      return (await table.count()) === 1;
    },
    { describe: `${count} rows`, pollMs: 50 },
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
      await showAll(page, JOBS);
      expect(await rowsWith(page, 'Queued')).toBe(JOBS);
      await api.restart(async () => {
        await api.superuser.query(`update millrace.jobs set scheduled_for = now() where 'gap' = any(tags)`);
        await after(5_000);
        await page.getByText(/As of \d\d:\d\d:\d\d, the server does not answer\./).waitFor();
        await waitFor(
          async () =>
            (await tools().countOf(
              `select count(*) from millrace.jobs where status = 'succeeded' and 'gap' = any(tags)`,
            )) === JOBS,
          { describe: 'the worker to have run them all' },
        );
      });
      await waitFor(async () => (await rowsWith(page, 'Succeeded')) === JOBS, {
        describe: 'all rows to have succeeded',
        pollMs: 250,
      });
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator('.stale').waitFor({ state: 'detached' });
      expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
      expect(await page.locator('table.jobs tr.gone').count()).toBe(0);
    });

    it('draws of more than 1,000 rows those near the screen, and each of them as it is scrolled to', async () => {
      const { enqueue } = tools();
      await enqueue(60, (index) => ({
        payload: { message: `more ${index}` },
        tags: ['gap'],
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const page = await tools().open('/jobs?tag=gap');
      await showAll(page, JOBS + 60);
      const drawn = page.locator('table.jobs tbody tr:not(.space)');
      expect(await drawn.count()).toBeLessThan(200);
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      for (const share of [0.5, 1, 0]) {
        await page.evaluate(`scrollTo(0, ${share} * document.documentElement.scrollHeight)`);
        const middle = `document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('table.jobs tr[aria-rowindex]')?.ariaRowIndex`;
        await waitFor(
          async () => {
            const row = Number(await page.evaluate(middle));
            return Math.abs(row / (JOBS + 60) - share) < 0.05;
          },
          { describe: `rows at ${share} of the list` },
        );
        expect(await drawn.count()).toBeLessThan(200);
      }
      const after = Number(await page.evaluate('document.documentElement.scrollHeight'));
      // What is not drawn takes the room that it will have.
      expect(Math.abs(after - height) / height).toBeLessThan(0.02);
    });
  });
}
