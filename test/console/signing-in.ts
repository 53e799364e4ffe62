import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ConsoleTools } from './opened-console.ts';

const SESSION = 'millrace.console.oidc-session';

/** Signing in with an identity provider: code flow with PKCE, against a real one. */
export function signingIn(tools: () => ConsoleTools): void {
  const begin = (page: Page) => page.getByRole('button', { name: /Sign in with/ }).click();
  const consent = async (page: Page): Promise<void> => {
    await page.locator('input[name=login]').fill('alice');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  describe('somebody who has an account at the identity provider', () => {
    it('signs in there, comes back to the page that was wanted, stays signed in with a renewed token, and signs out', async () => {
      const page = await tools().open('/definitions', { token: null });
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await begin(page);
      await consent(page);
      await page.waitForURL(/\/console\/definitions$/);
      await page.getByRole('heading', { name: 'Definitions' }).waitFor();
      await page.getByRole('button', { name: /Account of user:alice/ }).waitFor();
      // The code is in a fragment: no server of ours has it in its log.
      expect(urls.filter((url) => url.startsWith(tools().api.url) && /[?&]code=/.test(url))).toEqual([]);
      await page.evaluate(
        `sessionStorage.setItem('${SESSION}', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('${SESSION}')), renewAtMs: 0 }))`,
      );
      const renewal = page.waitForRequest((request) =>
        (request.postData() ?? '').includes('grant_type=refresh_token'),
      );
      await page.reload();
      expect((await (await renewal).response())?.status()).toBe(200);
      await page.getByRole('heading', { name: 'Definitions' }).waitFor();
      await page.getByRole('button', { name: /Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor();
      expect(
        await page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('millrace'))`),
      ).toEqual([]);
      await begin(page);
      // It has been forgotten there, too.
      await page.locator('input[name=login]').waitFor();
    });

    it('is refused with an answer that belongs to another sign-in: its state, or the nonce in its identity token', async () => {
      const page = await tools().open('/jobs', { token: null });
      await begin(page);
      await page.locator('input[name=login]').waitFor();
      await page.goto(`${tools().api.url}/console/#code=stolen&state=of-another-sign-in`);
      await page.getByRole('alert').filter({ hasText: 'belongs to another sign-in' }).waitFor();
      await page.route('**/auth?*', (route) =>
        route.continue({
          url: route
            .request()
            .url()
            .replace(/nonce=[^&]+/, 'nonce=replayed'),
        }),
      );
      await begin(page);
      await consent(page);
      await page.getByRole('alert').filter({ hasText: 'made for another sign-in' }).waitFor();
      expect(await page.evaluate(`sessionStorage.getItem('millrace.console.token')`)).toBeNull();
      expect(tools().problems).toEqual([]);
    });
  });
}
