import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository/planted.ts';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

const AXE = readFileSync(join(repository, 'node_modules/axe-core/axe.min.js'), 'utf8');
const MAX_SCRIPT_BYTES = 200 * 1024;
const OF_SUPER_ADMINS = ['/workers', '/tenants'];

const pathsOf = (jobId: string): readonly string[] => [
  '/',
  '/jobs',
  `/jobs/${jobId}`,
  `/jobs/${jobId}?tab=data`,
  `/jobs/${jobId}?tab=log`,
  '/definitions',
  '/definitions/echo',
  '/schedules?edit=new',
  '/triggers',
  '/triggers?tab=events',
  '/webhooks',
  '/settings',
  '/settings?tab=members',
  '/settings?tab=keys',
  '/settings?tab=audit',
  '/videos',
  '/search?q=water',
];

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const isStill = `document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity || each.playState !== 'running')`;
  // Evaluated and not waited for in the page: that would need what its policy forbids.
  await waitFor(async () => (await page.evaluate(isStill)) === true, { describe: 'the page to stand still' });
}

/** Every page at both widths and in both themes, and what the first one costs. */
export function pages(tools: () => ConsoleTools): void {
  describe('a page of any kind', () => {
    it.each([
      { width: 1280, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'dark' },
      { width: 390, colorScheme: 'light' },
    ] as const)(
      'has no problem that axe knows at $width px in the $colorScheme theme, and scrolls in no other direction than down',
      async ({ width, colorScheme }) => {
        const page = await tools().open('/jobs', {
          viewport: { width, height: 844 },
          colorScheme,
          token: tools().superToken,
        });
        await settled(page);
        await page.evaluate(`${AXE};0`);
        const found: string[] = [];
        for (const path of [...pathsOf(tools().jobId), ...OF_SUPER_ADMINS, ...tools().paths]) {
          // One document for all of them, as people go from page to page.
          await page.evaluate(
            `history.pushState({}, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
          );
          await settled(page);
          const violations = await page.evaluate(
            `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
          );
          for (const each of violations as string[]) found.push(`${path}: ${each}`);
          const over = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          if (Number(over) > 0) found.push(`${path}: is ${over} px too wide`);
        }
        expect(found).toEqual([]);
        expect(tools().problems).toEqual([]);
      },
      60_000,
    );

    it('costs little to begin with: the scripts of the jobs page are at most 200 KiB', async () => {
      const page = await tools().open('/settings');
      const sizes = new Map<string, number>();
      page.on('response', (response) => {
        if (response.url().endsWith('.js'))
          sizes.set(response.url(), Number(response.headers()['content-length']));
      });
      await page.goto(`${tools().api.url}/console/jobs`);
      await page.locator('table.jobs').waitFor();
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      expect(sizes.size).toBeGreaterThan(0);
      expect(total).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    }, 60_000);
  });
}
