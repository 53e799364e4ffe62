import { describe, expect, it } from 'vitest';
import type { ConsoleTools } from './opened-console.ts';

/** What a page shows when it has nothing, not yet, no more, or may not. */
export function states(tools: () => ConsoleTools): void {
  describe('a page', () => {
    it('says that it loads, that nothing matches, that a job is gone, what went wrong, and tries again', async () => {
      const page = await tools().open('/jobs?tag=nobody-has-it');
      await page.getByText('No job matches').waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await page.locator('table.jobs').waitFor();
      await page.goto(`${tools().api.url}/console/jobs/01900000-0000-7000-8000-000000000000`);
      await page.getByText('There is no such job').waitFor();
      await page.goto(`${tools().api.url}/console/jobs?status=NONSENSE`);
      await page.getByText('which was left out: status=NONSENSE').waitFor();
      let isBroken = true;
      await page.route('**/graphql', async (route) => {
        if (isBroken && (route.request().postData() ?? '').includes('jobDefinitions(first'))
          return route.fulfill({
            status: 400,
            json: { errors: [{ message: 'Broken for once', extensions: { code: 'BROKEN' } }] },
          });
        return route.continue();
      });
      await page.goto(`${tools().api.url}/console/definitions`);
      await page.getByRole('alert').filter({ hasText: 'Broken for once' }).waitFor();
      isBroken = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'echo', exact: true }).waitFor();
    });

    it('loads itself anew once when the server has another version of it', async () => {
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
      await page.getByText(/it takes/).waitFor();
      expect(tools().problems).toEqual([]);
    });
  });
}
