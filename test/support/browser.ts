import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as browserType } from 'playwright-core';
import { RUN_DIRECTORY_PREFIX } from './run-directory.ts';
import { WAIT_MS, waitFor } from './wait.ts';

/**
 * The package switches a browser's own rules for other origins off: requests then say neither where they come
 * from nor need leave.
 */
const LAWLESS = '--disable-web-security';

/**
 * With these it draws by a graphics card that is emulated: four times the processor's time for a page that
 * only waits [measured].
 */
const EMULATED_GRAPHICS = [
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** With these it is one process, which starts sooner and ends with its first page. */
const IN_ONE_PROCESS = ['--single-process', '--no-zygote'];

/**
 * Headless Chromium as npm carries it, with the rules that every user's has; to be closed by the test.
 * @param options.isShared it stays open for page after page
 */
export async function openBrowser({ isShared = false } = {}): Promise<Browser> {
  const left = [LAWLESS, ...EMULATED_GRAPHICS, ...(isShared ? IN_ONE_PROCESS : [])];
  const browser = await browserType.launch({
    executablePath: await unpackedOnce(),
    args: [
      ...chromium.args.filter((arg) => !left.includes(arg)),
      '--no-sandbox',
      '--disable-gpu',
      '--disable-software-rasterizer',
    ],
  });
  const { newContext, newPage } = browser;
  return Object.assign(browser, {
    newContext: async (...options: Parameters<typeof newContext>) => {
      const context = await newContext.apply(browser, options);
      context.setDefaultTimeout(WAIT_MS);
      return context;
    },
    newPage: async (...options: Parameters<typeof newPage>) => {
      const page = await newPage.apply(browser, options);
      page.setDefaultTimeout(WAIT_MS);
      return page;
    },
  });
}

/**
 * The package unpacks browser and fonts into the temporary folder, and takes them for there as soon as the
 * browser's file begins to be written: another process that starts it meanwhile fails with ETXTBSY, or finds
 * no fonts. So one process of a run unpacks and the others wait.
 */
async function unpackedOnce(): Promise<string> {
  // Outside a run of tests nobody else unpacks, and a lock that a killed process has left would stand for
  // good.
  if (!basename(tmpdir()).startsWith(RUN_DIRECTORY_PREFIX)) return await chromium.executablePath();
  const done = join(tmpdir(), 'chromium-is-unpacked');
  const isMine = await mkdir(join(tmpdir(), 'chromium-unpacking')).then(
    () => true,
    () => false,
  );
  if (isMine) {
    await chromium.executablePath();
    await writeFile(done, '');
  }
  await waitFor(() => existsSync(done), { describe: 'Chromium to be unpacked by another process' });
  return await chromium.executablePath();
}
