import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository/planted.ts';
import { waitFor } from '../support/wait.ts';
import { everyPage } from './every-page.ts';
import type { ConsoleTools } from './opened-console.ts';

const AXE = readFileSync(join(repository, 'node_modules/axe-core/axe.min.js'), 'utf8');
const MAX_SCRIPT_BYTES = 200 * 1024;

/** Of jobs, and of those who run them. */
export const operatorPaths = ({ jobId }: ConsoleTools): readonly string[] => [
  ...everyPage('operators', { jobId, key: 'echo' }),
  '/schedules?edit=new',
];

/** Of what a tenant has sent in. */
export const contentPaths = ({ examples, paths }: ConsoleTools): readonly string[] => [
  ...everyPage('content', examples),
  ...paths,
];

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const isStill = `document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity || each.playState !== 'running')`;
  // Evaluated and not waited for in the page: that would need what its policy forbids.
  await waitFor(async () => (await page.evaluate(isStill)) === true, { describe: 'the page to stand still' });
}

/**
 * What axe knows against the page. Of its results the violations alone, which spares it the descriptions of
 * all else.
 */
async function violationsOf(page: Page, rules: object): Promise<readonly string[]> {
  return (await page.evaluate(
    `axe.run({ resultTypes: ['violations'], ...${JSON.stringify(rules)} }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  )) as string[];
}

const ALL_RULES = {};
/** A theme is nothing but other colours in the same document (console/styles/tokens.css). */
const RULES_OF_COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Pages at both widths and in both themes. */
export function accessiblePages(
  tools: () => ConsoleTools,
  pathsOf: (tools: ConsoleTools) => readonly string[],
): void {
  describe('a page of any kind', () => {
    it.each([
      { width: 1280, themes: ['light', 'dark'] },
      { width: 390, themes: ['dark', 'light'] },
    ] as const)(
      'has no problem that axe knows at $width px in either theme, and scrolls in no other direction than down',
      async ({ width, themes: [first, second] }) => {
        const page = await tools().open('/jobs', {
          viewport: { width, height: 844 },
          token: tools().superToken,
        });
        await settled(page);
        await page.evaluate(`${AXE};0`);
        const found: string[] = [];
        for (const path of pathsOf(tools())) {
          // One document for all of them, as people go from page to page.
          await page.evaluate(
            `history.pushState({}, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
          );
          for (const colorScheme of [first, second]) {
            await page.emulateMedia({ colorScheme });
            await settled(page);
            const rules = colorScheme === first ? ALL_RULES : RULES_OF_COLOURS;
            for (const each of await violationsOf(page, rules))
              found.push(`${path}, ${colorScheme}: ${each}`);
          }
          const over = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          if (Number(over) > 0) found.push(`${path}: is ${over} px too wide`);
        }
        expect(found).toEqual([]);
        expect(tools().problems).toEqual([]);
      },
    );
  });
}

/** What the first page costs. */
export function firstLoad(tools: () => ConsoleTools): void {
  describe('the console', () => {
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
    });
  });
}
