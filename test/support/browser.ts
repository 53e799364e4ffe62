import chromium from '@sparticuz/chromium';
import { type Browser, chromium as browserType } from 'playwright-core';

/** Headless Chromium as npm carries it; to be closed by the test. */
export async function openBrowser(): Promise<Browser> {
  return await browserType.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox'],
  });
}
