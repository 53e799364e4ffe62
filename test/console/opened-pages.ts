import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';

export interface OpenedPages {
  /**
   * At an address, with empty storages. The page before is gone: the same one goes on where the options are
   * the same.
   */
  open(url: string, options: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/**
 * One browser and one page at a time. The page is kept for as long as its options are, so that the browser
 * compiles the console once.
 * @param problems where the errors of scripts go, and those of the policy
 */
export async function openPages(problems: string[]): Promise<OpenedPages> {
  const browser = await openBrowser({ isShared: true });
  let current: { readonly key: string; readonly context: BrowserContext; readonly page: Page } | undefined;

  const begin = async (key: string, options: BrowserContextOptions): Promise<Page> => {
    await current?.context.close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused to/.test(message.text())) problems.push(message.text());
    });
    current = { key, context, page };
    return page;
  };

  return {
    open: async (url, options) => {
      const key = JSON.stringify(options);
      const page =
        current?.key === key && !current.page.isClosed()
          ? await emptied(current.page, new URL(url).origin)
          : await begin(key, options);
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

/** As if it had just been opened, beside what the browser has loaded and compiled. */
async function emptied(page: Page, origin: string): Promise<Page> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  page.removeAllListeners('request');
  page.removeAllListeners('response');
  // Storages belong to an origin: the page may have ended at the identity provider's.
  if (!page.url().startsWith(origin)) await page.goto(`${origin}/health/live`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  // Another fragment at the same address would load nothing.
  await page.goto('about:blank');
  return page;
}
