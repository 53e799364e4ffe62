import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PAGE_PARAMS, type PagePath } from '../../console/page-params.ts';
import { type ApiBetween, REQUEST_ID, standBetween } from './api-between.ts';
import type { ConsoleTools } from './opened-console.ts';
import { PAGE_STATES, type PageStates } from './page-states-table.ts';

/** After that what was read counts as old, and is read again when a tab is looked at. */
const OLD_MS = 6_000;
const PAGES = Object.entries(PAGE_STATES) as [PagePath, PageStates][];

/** Goes there as people do, within the document. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** @returns how to make the first one, where the page says so */
async function statesOf(
  page: Page,
  between: ApiBetween,
  path: PagePath,
  states: PageStates,
): Promise<readonly string[]> {
  const { hasExample = false, filtered } = states;
  await failsAndComes(page, between, path, states);
  const examples = await page.getByRole('region', { name: 'From a shell' }).allTextContents();
  expect(examples, path).toHaveLength(hasExample ? 1 : 0);
  await keepsWhatItHas(page, between, states);
  if (filtered !== undefined) await matchesNothing(page, path, filtered);
  return examples;
}

/** It loads, fails, and comes when it is tried again. */
async function failsAndComes(
  page: Page,
  between: ApiBetween,
  path: PagePath,
  { title, at, operation, isStream = false, first, emptyAnswer }: PageStates,
): Promise<void> {
  between.treat(operation, { kind: 'hold' });
  await go(page, at ?? path);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  const loading = page.locator('main .skeleton').first();
  await loading.getByText('Loading').waitFor({ state: 'attached' });
  between.treat(operation, { kind: 'break' });
  const alert = page.getByRole('alert').filter({ hasText: 'Broken for once' });
  await alert.getByText('BROKEN', { exact: true }).waitFor();
  expect(await alert.getByText(REQUEST_ID).count(), path).toBe(isStream ? 0 : 1);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  between.treat(
    operation,
    emptyAnswer === undefined ? { kind: 'pass' } : { kind: 'answer', data: emptyAnswer },
  );
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  if (at?.startsWith(`${path}?`) === true) await go(page, path);
  await page.getByText(first).first().waitFor();
}

/** What was read stays when it cannot be read again, with its date. */
async function keepsWhatItHas(
  page: Page,
  between: ApiBetween,
  { operation, isStream = false, isLive = isStream, isReadOnce = false, first, emptyAnswer }: PageStates,
): Promise<void> {
  if (isReadOnce) return;
  const note = page.locator('.stale');
  if (isLive) await between.cut();
  else {
    between.treat(operation, { kind: 'break' });
    await page.clock.fastForward(OLD_MS);
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  }
  const why = isLive ? ', the server does not answer.' : `: Broken for once (BROKEN, request ${REQUEST_ID})`;
  await note
    .filter({ hasText: /As of \d\d:\d\d:\d\d/ })
    .filter({ hasText: why })
    .waitFor();
  await page.getByText(first).first().waitFor();
  between.treat(
    operation,
    emptyAnswer === undefined ? { kind: 'pass' } : { kind: 'answer', data: emptyAnswer },
  );
  if (isLive) between.connectAgain();
  else await note.getByRole('button', { name: 'Try again' }).click();
  await note.waitFor({ state: 'detached' });
}

/** A filter that nothing matches is repeated, and cleared. */
async function matchesNothing(
  page: Page,
  path: PagePath,
  { query, text, chip }: NonNullable<PageStates['filtered']>,
): Promise<void> {
  await go(page, `${path}${query}`);
  await page.getByText(text).waitFor();
  await page.locator('.chip').filter({ hasText: chip }).waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByText(text).waitFor({ state: 'detached' });
}

/** All states of every page, on a tenant that has nothing yet. */
export function pageStates(tools: () => ConsoleTools): void {
  describe('every page', () => {
    /** What each has asked for first. */
    const asked = new Map<PagePath, ReturnType<ApiBetween['lastAsked']>>();

    it('is in the table of the states that are tested', () => {
      expect(Object.keys(PAGE_STATES).toSorted()).toEqual(Object.keys(PAGE_PARAMS).toSorted());
    });

    it('says that it loads, what went wrong, what to do first, and that nothing matches, and keeps what it has', async () => {
      const { api, open } = tools();
      const tenantId = await api.makeTenant();
      const token = await api.token(tenantId, 'super_admin', { subject: 'newcomer' });
      const page = await open('/settings', { token, reducedMotion: 'reduce' });
      await page.clock.install();
      const between = await standBetween(page);
      await page.reload();
      const seen = new Set<string>();
      const examples = new Set<string>();
      for (const [path, states] of PAGES) {
        // What another page has read already would be there at once.
        if (seen.has(states.operation)) await page.reload();
        seen.add(states.operation);
        try {
          for (const example of await statesOf(page, between, path, states)) examples.add(example);
        } catch (error) {
          const said = await page.locator('main').textContent();
          throw new Error(`The page ${path} does not say what it should, but: ${said}`, { cause: error });
        }
        asked.set(path, between.lastAsked());
      }
      expect(tools().problems).toEqual([]);
      // What the examples say works. None of the work is to begin.
      await api.superuser.query('update millrace.tenants set paused_at = now() where id = $1', [tenantId]);
      for (const example of examples) {
        const { query } = JSON.parse(/-d '(.*)'$/s.exec(example)?.[1] ?? '');
        const { data, errors } = await api.query(token, query);
        expect(errors, query).toEqual([]);
        expect(JSON.stringify(data), query).not.toMatch(/"__typename":"\w*Error"/);
      }
    });

    it('names what somebody lacks who may not see it, which the server would refuse', async () => {
      const { api, open, graphql } = tools();
      const keyWith = async (scope: string): Promise<string> => {
        const data = (await graphql(
          `mutation { createApiKey(input: { name: "${scope}", role: MEMBER, scopes: [${scope}] }) { ... on CreateApiKeyPayload { secret } } }`,
        )) as never as { createApiKey: { secret: string } };
        return data.createApiKey.secret;
      };
      const ofJobs = await keyWith('JOBS_READ');
      const ofMedia = await keyWith('VIDEOS_READ');
      for (const [token, isMeant] of [
        [ofMedia, (lacking: string) => lacking.includes('jobs:read')],
        [ofJobs, (lacking: string) => !lacking.includes('jobs:read')],
      ] as const) {
        const page = await open('/search', { token, reducedMotion: 'reduce' });
        await page.waitForTimeout(6000);

        await page.getByRole('heading', { name: 'Search' }).waitFor();
        for (const [path, { at, title, lacking, isStream }] of PAGES) {
          if (!isMeant(lacking)) continue;
          await go(page, at ?? path);
          await page.getByText(`This page takes ${lacking}, which your token does not have.`).waitFor();
          await page.getByRole('heading', { level: 1 }).waitFor();
          expect(await page.getByRole('link', { name: title, exact: true }).count(), path).toBe(0);
          const main = asked.get(path);
          if (isStream === true || main === undefined) continue;
          const { errors } = await api.query(token, main.query, main.variables);
          expect(
            errors.map(({ extensions }) => extensions?.['code']),
            path,
          ).toContain('FORBIDDEN');
        }
      }
    });
  });
}
