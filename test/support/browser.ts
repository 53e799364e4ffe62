import chromium from '@sparticuz/chromium';
import { type Browser, chromium as browserType } from 'playwright-core';

/** The package switches a browser's own rules for other origins off: requests then say neither where they come from nor need leave. */
const LAWLESS = '--disable-web-security';

/** Headless Chromium as npm carries it, with the rules that every user's has; to be closed by the test. */
export async function openBrowser(): Promise<Browser> {
  return await browserType.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => arg !== LAWLESS), '--no-sandbox'],
  });
}
