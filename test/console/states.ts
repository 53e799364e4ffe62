import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

/** What a page shows when it has nothing, not yet, no more, or may not. */
export function states(tools: () => ConsoleTools): void {
  describe('a page', () => {
    it('clears a filter that nothing matches, says of when a job that is gone was, and names what it leaves out of an address', async () => {
      const page = await tools().open('/jobs?tag=nobody-has-it');
      await page.getByText('No job matches').waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await page.locator('table.jobs').waitFor();
      await page.goto(`${tools().api.url}/console/jobs/01900000-0000-7000-8000-000000000000`);
      await page.getByText('There is no such job').waitFor();
      await page
        .getByText(/Its id is of 10 Jun 2024 .*retention of its definition or tenant was over/)
        .waitFor();
      await page.goto(`${tools().api.url}/console/jobs?status=NONSENSE`);
      await page.getByText('which was left out: status=NONSENSE').waitFor();
    });

    it('shows rows of the height of those that are coming while they take a moment, and not before a sixth of a second', async () => {
      const page = await tools().open('/settings');
      const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if ((route.request().postData() ?? '').includes('query JobPage')) await isAnswered;
        return route.continue();
      });
      await page.goto(`${tools().api.url}/console/jobs`);
      const skeleton = page.locator('.skeleton');
      await skeleton.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' });
      // Its animation begins at nothing; only when that has waited does anything appear.
      const styleOf = (name: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('.skeleton')).${name}`);
      expect(await styleOf('animationDelay')).toBe('0.15s');
      await waitFor(async () => (await styleOf('opacity')) === '1', { describe: 'it to appear' });
      const heightOf = async (selector: string): Promise<number> =>
        (await page.locator(selector).first().boundingBox())?.height ?? 0;
      const before = await heightOf('.skeleton span:not(.visually-hidden)');
      answer();
      await page.locator('table.jobs tbody tr').first().waitFor();
      expect(await skeleton.count()).toBe(0);
      const row = await heightOf('table.jobs tbody tr');
      expect(Math.abs(before - row) / row).toBeLessThan(0.2);
    });

    it('loads itself again once when the server has another version of it', async () => {
      const page = await tools().open('/jobs');
      await page.locator('table.jobs').waitFor();
      await page.evaluate('globalThis.isSamePage = true');
      let refused = 0;
      await page.route('**/assets/definitions-page-*.js', (route) =>
        refused++ === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
      );
      await page.getByRole('link', { name: 'Definitions' }).click();
      await page.getByRole('heading', { name: 'Definitions' }).waitFor();
      expect(refused).toBeGreaterThan(0);
      expect(await page.evaluate('globalThis.isSamePage')).toBeUndefined();
    });

    it('offers a member nothing that would be refused, and says which scope a page takes', async () => {
      const token = await tools().api.token(tools().tenantId, 'member', { subject: 'bob' });
      const page = await tools().open('/jobs', { token });
      await page.locator('table.jobs').waitFor();
      expect(await page.getByLabel('Select all shown').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
      await page.goto(`${tools().api.url}/console/webhooks`);
      await page.getByText('You may not see this').waitFor();
      await page.getByText('This page takes the role tenant admin').waitFor();
      expect(tools().problems).toEqual([]);
    });
  });
}
