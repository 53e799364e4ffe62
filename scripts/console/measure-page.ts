import type { Browser, CDPSession, Page } from 'playwright-core';
import { type ApiClient, callApi } from '../../src/cli/call-api.ts';
import { waitFor } from '../../test/support/wait.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: { readonly kind: 'at most' | 'at least'; readonly value: number };
}

interface MeasureOptions {
  readonly url: string;
  readonly token: string;
  readonly api: ApiClient;
  readonly changingJobs: number;
}

const BATCH = 500;
const atMost = (value: number) => ({ kind: 'at most', value }) as const;

/** Enqueues jobs that are done as soon as they are taken. */
export async function enqueueEchoes(api: ApiClient, count: number, tag: string): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const jobs = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => ({
      definition: 'echo',
      payload: { message: `job ${from + index}` },
      tags: [tag],
    }));
    await callApi(
      api,
      'mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename } }',
      { jobs },
    );
  }
}

/** The jobs page: what it costs to begin with, and what live updates of every row of a long list do to it. */
export async function measurePage(browser: Browser, options: MeasureOptions): Promise<readonly Figure[]> {
  const { url, token, api, changingJobs } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const sizes = new Map<string, number>();
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      sizes.set(response.url(), Number(response.headers()['content-length']));
  });
  await page.goto(`${url}/console/jobs#token=${token}`);
  await page.locator('table.jobs').waitFor();
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const interactiveMs = await interactive(page);
  await setPaused(api, true);
  await enqueueEchoes(api, changingJobs, 'changing');
  await page.goto(`${url}/console/jobs?tag=changing`);
  await openRows(page, changingJobs);
  const session = await context.newCDPSession(page);
  const idle = await watched(page, async () => {
    await page.waitForTimeout(3_000);
  });
  const heapBefore = await heapMb(session);
  const busy = await watched(page, async () => {
    await setPaused(api, false);
    await noneLeft(api);
  });
  await page.locator('table.jobs .badge', { hasText: 'Succeeded' }).first().waitFor();
  // What is in no row is kept up to a bound, which the first of these fill; what events leave behind beyond
  // it would show in the second.
  await othersChange(page, options);
  const heapFilled = await heapMb(session);
  await othersChange(page, options);
  const heapAfter = await heapMb(session);
  await context.close();
  return [
    { name: 'scripts of the jobs page', value: bytes / 1_024, unit: 'KiB compressed', goal: atMost(200) },
    { name: 'interactive', value: interactiveMs, unit: 'ms', goal: atMost(1_000) },
    {
      name: `layout shift of live updates${busy.moved.length === 0 ? '' : ` (${busy.moved.join(', ')})`}`,
      value: busy.shift,
      unit: '',
      goal: atMost(0),
    },
    {
      name: `frames while ${changingJobs} rows change (${idle.perSecond.toFixed(0)} while none does)`,
      value: busy.perSecond,
      unit: 'a second',
      goal: { kind: 'at least', value: 50 },
    },
    { name: 'longest frame meanwhile', value: busy.longestMs, unit: 'ms', goal: atMost(250) },
    {
      name: `heap, rows and ${changingJobs} others changed`,
      value: heapFilled - heapBefore,
      unit: 'MB more',
      goal: atMost(40),
    },
    {
      name: `heap, ${changingJobs} others again`,
      value: heapAfter - heapFilled,
      unit: 'MB more',
      goal: atMost(2),
    },
  ];
}

/** As many jobs that are in no row come and go. */
async function othersChange(page: Page, { api, changingJobs }: MeasureOptions): Promise<void> {
  await enqueueEchoes(api, changingJobs, 'changing');
  await noneLeft(api);
  await page.waitForTimeout(1_000);
}

/** From the navigation to rows that answer a key, with the assets in the browser's cache. */
async function interactive(page: Page): Promise<number> {
  await page.reload();
  await page.locator('table.jobs tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await page.locator('tr.at').waitFor();
  return Number(await page.evaluate(`performance.getEntriesByName('millrace:rows')[0].startTime`));
}

/** Shows that many rows, page by page. */
async function openRows(page: Page, count: number): Promise<void> {
  await waitFor(
    async () => {
      await page.evaluate(`document.querySelector('.more button:not(:disabled)')?.click()`);
      return (await page.locator(`table.jobs[aria-rowcount="${count + 1}"]`).count()) === 1;
    },
    { describe: `${count} rows`, timeoutMs: 300_000, pollMs: 20 },
  );
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
}

/** Nothing of the tenant is taken meanwhile. */
async function setPaused(api: ApiClient, isPaused: boolean): Promise<void> {
  const name = isPaused ? 'pauseTenant' : 'resumeTenant';
  const answer = await callApi<Record<string, { message?: string }>>(
    api,
    `mutation { ${name}(input: {}) { __typename ... on DomainFailure { message } } }`,
  );
  const problem = answer[name]?.message;
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
}

async function noneLeft(api: ApiClient): Promise<void> {
  await waitFor(async () => (await leftOf(api)) === 0, {
    describe: 'the jobs to end',
    timeoutMs: 300_000,
    pollMs: 250,
  });
}

interface Watched {
  readonly perSecond: number;
  readonly longestMs: number;
  readonly shift: number;
  /** What has moved, with how far (pixels). */
  readonly moved: readonly string[];
}

/** What the page draws while something happens. */
async function watched(page: Page, happens: () => Promise<void>): Promise<Watched> {
  await watchFramesAndShifts(page);
  await happens();
  const { frames, shift, moved, longest, sinceMs } = (await page.evaluate(
    '({ frames: globalThis.frames_, shift: globalThis.shift_, moved: [...globalThis.moved_], longest: globalThis.longest_, sinceMs: performance.now() - globalThis.begunMs_ })',
  )) as { frames: number; shift: number; moved: string[]; longest: number; sinceMs: number };
  return { perSecond: (1_000 * frames) / sinceMs, longestMs: longest, shift, moved };
}

async function watchFramesAndShifts(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    globalThis.frames_ = 0; globalThis.shift_ = 0; globalThis.moved_ = new Set(); globalThis.longest_ = 0; globalThis.begunMs_ = performance.now();
    if (globalThis.isWatched_) return;
    globalThis.isWatched_ = true;
    let last = performance.now();
    const frame = (now) => { globalThis.frames_++; globalThis.longest_ = Math.max(globalThis.longest_, now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) { globalThis.shift_ += entry.value; for (const { node, previousRect: from, currentRect: to } of entry.sources) if (globalThis.moved_.size < 10) globalThis.moved_.add((node?.nodeName ?? 'what is gone') + ' ' + (node?.className ?? '') + ' by ' + Math.round(to.x - from.x) + ', ' + Math.round(to.y - from.y)); } }).observe({ type: 'layout-shift' });
  })()`);
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize / 1_000_000;
}

async function leftOf(api: ApiClient): Promise<number> {
  const { jobSummary } = await callApi<{ jobSummary: { counts: { queued: number; running: number } } }>(
    api,
    '{ jobSummary { counts { queued running } } }',
  );
  return jobSummary.counts.queued + jobSummary.counts.running;
}
