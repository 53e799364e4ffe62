import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

/** What the settings change, and what the forms of the console have in common. */
export function settings(tools: () => ConsoleTools): void {
  describe('a super admin in the settings', () => {
    it('sets and removes a limit of a definition, and changes the tenant’s name and limits', async () => {
      const { open, countOf, superToken, tenantId } = tools();
      const holds = (what: string, sql: string) =>
        waitFor(async () => (await countOf(sql)) === 1, { describe: what });
      const page = await open('/settings', { token: superToken });
      const limits = page.getByRole('region', { name: 'Limits of definitions' });
      const dialog = page.getByRole('dialog');
      await limits.getByRole('button', { name: 'Set a limit' }).click();
      await dialog.getByLabel('Definition').selectOption('echo');
      await dialog.getByLabel(/Jobs at once/).fill('7');
      await dialog.getByLabel(/Starts/).fill('30');
      await dialog.getByLabel('in seconds').fill('10');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await limits.getByText('7 at once, 30 in 10 s').waitFor();
      await holds(
        'the limit to be stored',
        `select count(*) from millrace.lane_limits where tenant_id = '${tenantId}' and max_running = 7`,
      );
      await limits.getByRole('button', { name: 'Remove the limit of echo' }).click();
      await limits.getByText('None beyond those of the definitions themselves.').waitFor();
      const tenant = page.getByRole('region', { name: 'Tenant', exact: true });
      await tenant.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Name').fill('Renamed here');
      await dialog.getByLabel(/Jobs at once/).fill('40');
      await dialog.getByLabel(/Days that ended jobs/).fill('3');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await tenant.getByRole('heading', { name: 'Renamed here' }).waitFor();
      expect(await tenant.locator('dl').textContent()).toMatch(/Runs at once40.*kept3 days/);
      await holds(
        'the tenant to be changed',
        `select count(*) from millrace.tenants where id = '${tenantId}' and max_running = 40 and retention_seconds = 259200`,
      );
      await tenant.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel(/Jobs at once/).fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await tenant.getByText('unlimited').first().waitFor();
    });

    it('finds the focus on the first field of a form, and on the safe button of a question', async () => {
      const page = await tools().open('/settings', { token: tools().superToken });
      const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
      await page.getByRole('button', { name: 'Pause the tenant' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await focused()).toBe('Leave it');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Tenants');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/tenants$/);
      await page.getByRole('button', { name: 'New tenant' }).click();
      await page.keyboard.type('typed-at-once');
      expect(await page.getByLabel(/Slug/).inputValue()).toBe('typed-at-once');
      // White text needs the filled background under the pointer, too.
      const filled = page.getByRole('dialog').locator('.button.primary');
      const fill = (): Promise<unknown> => filled.evaluate('(e) => getComputedStyle(e).backgroundColor');
      const resting = await fill();
      await filled.hover();
      expect(await fill()).toBe(resting);
      await page.keyboard.press('Escape');
      const other = await tools().api.makeTenant();
      await page.reload();
      await page.getByLabel('Tenant', { exact: true }).selectOption(other);
      await page.getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByText('No jobs yet').waitFor();
    });

    it('filters the audit log by actor, act and day in the address, and downloads what it shows', async () => {
      const page = await tools().open('/settings?tab=audit', { token: tools().superToken });
      const log = page.getByRole('region', { name: 'Audit log' });
      await log.getByLabel('Act', { exact: true }).selectOption({ label: 'tenant update' });
      await page.waitForURL(/action=TENANT_UPDATE/);
      await log.getByRole('cell', { name: 'tenant update' }).first().waitFor();
      await waitFor(
        async () =>
          (await log.locator('tbody tr').count()) ===
          (await log.getByRole('cell', { name: 'tenant update' }).count()),
        { describe: 'only changes of the tenant' },
      );
      await log.locator('del', { hasText: '40' }).first().waitFor();
      const download = page.waitForEvent('download');
      await log.getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toBe('audit-log.csv');
      await log.getByLabel('From').fill('2099-01-01');
      await log.getByText('Nothing is on record').waitFor();
      await page.reload();
      await log.getByText('Nothing is on record').waitFor();
      await tools().api.query(
        tools().superToken,
        `mutation { createJobDefinition(input: { key: "echo_unserved" }) { __typename } }`,
      );
      await page.goto(`${tools().api.url}/console/workers?nonsense=1`);
      await page.getByText('which was left out: nonsense=1').waitFor();
      await page.getByText(/No worker takes the jobs of .*echo_unserved/).waitFor();
      expect(tools().problems).toEqual([]);
    });
  });
}
