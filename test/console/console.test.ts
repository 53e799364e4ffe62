import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPgmq } from '../../src/db/migrate/pgmq.ts';
import { ARTICLE } from '../links/support/pages.ts';
import { type StrangeServer, startStrangeServer } from '../outgoing/strange-server.ts';
import { repository } from '../repository/planted.ts';
import { callIn, submit } from '../support/call-platform.ts';
import { intoInbox } from '../support/flite-calls.ts';
import { makeMedia, TONE } from '../support/media.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import { type OpenedConsole, openConsole, SAMPLE } from './opened-console.ts';

const AXE = readFileSync(join(repository, 'node_modules/axe-core/axe.min.js'), 'utf8');
const MAX_SCRIPT_BYTES = 200 * 1024;

let opened: OpenedConsole;
let jobId: string;
let callId: string;
let linkId: string;
let site: StrangeServer;

beforeAll(async () => {
  site = await startStrangeServer({
    '/post': (_request, response) => void response.setHeader('content-type', 'text/html').end(ARTICLE),
    '/seen': (_request, response) =>
      void response
        .setHeader('content-type', 'text/html')
        .end(ARTICLE.replaceAll('Queues in Postgres', 'Seen queues')),
  });
  opened = await openConsole({
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.2',
    MILLRACE_LINK_HOST_DELAY_MS: '0',
  });
  const { superuser } = opened.api;
  await opened.graphql(
    `mutation { a: enqueueJob(input: { definition: "echo", payload: { message: "ok" } }) { __typename }
      b: enqueueJob(input: { definition: "echo", payload: { message: "bad", failTimes: 1 }, maxAttempts: 1 }) { __typename } }`,
  );
  await opened.graphql(
    `mutation { createTrigger(input: { label: "Paid", eventName: "order.paid", definition: "echo", payloadTemplate: { message: "paid" } }) { __typename } }`,
  );
  const ended = `select id from millrace.jobs where status = 'dead_letter'`;
  await waitFor(async () => (await superuser.query(ended)).rows.length === 1, {
    describe: 'a failed job',
    timeoutMs: 60_000,
  });
  jobId = (await superuser.query(ended)).rows[0].id;
  callId = await makeCall();
  await installPgmq({ connectionString: opened.api.databaseUrl, tenant: await slugOf(opened.tenantId) });
  await superuser.query(`select pgmq.create('scrape_jobs')`);
  await superuser.query(
    `select pgmq.send_batch('scrape_jobs', array['{"url": "https://example.com/a"}', '{"url": "https://example.com/b"}']::jsonb[])`,
  );
  await superuser.query(`select pgmq.archive('scrape_jobs', 1)`);
  linkId = await submitted(`http://127.0.0.2:${site.port}/post?before`);
  const done = `select from millrace.links where id = $1 and status = 'done'`;
  await waitFor(async () => (await superuser.query(done, [linkId])).rowCount === 1, {
    describe: 'a link to be done',
    timeoutMs: 60_000,
  });
}, 180_000);
afterAll(async () => {
  await opened?.close();
  await site?.close();
});

async function slugOf(tenantId: string): Promise<string> {
  const { rows } = await opened.api.superuser.query('select slug from millrace.tenants where id = $1', [
    tenantId,
  ]);
  return rows[0].slug;
}

async function submitted(url: string): Promise<string> {
  const data = (await opened.graphql(
    `mutation ($url: String!) { submitLink(input: { url: $url }) { ... on SubmitLinkPayload { link { uuid } } } }`,
    { url },
  )) as never as { submitLink: { link: { uuid: string } } };
  return data.submitLink.link.uuid;
}

/** Two people in turn, each on a channel, through the worker; one of them says a word. */
async function makeCall(): Promise<string> {
  const { api, tenantId } = opened;
  const path = await makeMedia(api.storageDir, [
    ...['-f', 'lavfi', '-i'],
    "aevalsrc='if(lt(t,2)+gte(t,6),0.5*sin(2764*t),0)|if(gte(t,3)*lt(t,5),0.5*sin(4147*t),0)':d=8:s=16000",
    'call.wav',
  ]);
  const objectKey = await intoInbox(api.storageDir, tenantId, path, 'call.wav');
  const made = await submit(api, opened.token, {
    recording: { objectKey },
    title: 'A contract',
    speakers: ['Ann', 'Bob'],
  });
  const call = await callIn(api, opened.token, made.call.uuid, 'READY', 'FAILED');
  expect(call.error).toBeNull();
  await api.superuser.query(
    `update millrace.call_turns set text = 'insurance',
       tsv = (select string_agg(millrace.search_lexeme(millrace.search_mark(tenant_id), w.word) || ':' || w.place, ' ')::tsvector
              from millrace.search_tokens('insurance') w)
     where call_id = $1 and position = 1`,
    [made.call.uuid],
  );
  return made.call.uuid;
}

const ENQUEUE = `mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename
  ... on EnqueueJobsPayload { results { ... on EnqueueJobPayload { job { uuid } } } } } }`;

async function enqueue(count: number, job: (index: number) => object): Promise<readonly string[]> {
  const jobs = Array.from({ length: count }, (_, index) => ({ definition: 'echo', ...job(index) }));
  const data = (await opened.graphql(ENQUEUE, { jobs })) as never as {
    enqueueJobs: { results: { job: { uuid: string } }[] };
  };
  return data.enqueueJobs.results.map(({ job }) => job.uuid);
}

async function countOf(sql: string): Promise<number> {
  const { rows } = await opened.api.superuser.query(sql);
  return Number(rows[0].count);
}

const badge = (page: Page, word: string) => page.locator('main .badge', { hasText: word });

describe('the console is served', () => {
  it('with a policy that allows nothing inline, an index that is asked for again, and compressed assets that are kept', async () => {
    const { url } = opened.api;
    const page = await fetch(`${url}/console/jobs/of/any/depth`, { headers: { connection: 'close' } });
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toMatch(/unsafe/);
    const html = await page.text();
    expect(html).toContain('<meta name="millrace-base" content="/console">');
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const asset = await fetch(`${url}${script}`, {
      headers: { 'accept-encoding': 'br', connection: 'close' },
    });
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    await asset.arrayBuffer();
  });
});

describe('a person', () => {
  it('learns why a wrong key is refused, and signs in by a link whose token no request names', async () => {
    const page = await opened.open('/jobs');
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(page.url()).not.toContain('token');
    expect(urls.filter((url) => url.includes(opened.token.slice(0, 20)))).toEqual([]);
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key or token').fill('not-a-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'You were not let in' }).waitFor();
  }, 60_000);

  it('finds a failing job by keyboard alone, reads why, and retries it', async () => {
    await enqueue(1, () => ({ payload: { message: 'fails once', failTimes: 1 }, maxAttempts: 1 }));
    await waitFor(
      async () => (await countOf(`select count(*) from millrace.jobs where status = 'dead_letter'`)) === 2,
      {
        describe: 'the job to fail',
        timeoutMs: 30_000,
      },
    );
    const page = await opened.open('/jobs');
    await page.locator('table.jobs').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('status:dead_letter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=DEAD_LETTER/);
    await badge(page, 'Dead letter').first().waitFor();
    await page.keyboard.press('Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/jobs\/[\w-]{36}/);
    await page.locator('.attempt-error').getByText('Failing as asked: run 1').waitFor();
    await page.keyboard.press('r');
    await page.getByText('It is back in the queue').waitFor();
    await page.getByText('Run 2', { exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  }, 60_000);

  it('cancels 300 jobs by a filter, with a dialog that says how many', async () => {
    await enqueue(300, () => ({
      payload: { message: 'later' },
      tags: ['bulk'],
      scheduledFor: '2099-01-01T00:00:00Z',
    }));
    const page = await opened.open('/jobs?tag=bulk&status=QUEUED');
    await page.getByLabel('Select all shown').check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByRole('region', { name: 'Selected jobs' }).getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('All queued jobs with tag bulk');
    await dialog.getByRole('button', { name: /^Cancel .*jobs$/ }).click();
    await dialog.getByRole('button', { name: 'Done' }).waitFor();
    expect(await dialog.locator('dl').textContent()).toContain('Canceled300');
    expect(
      await countOf(`select count(*) from millrace.jobs where status = 'canceled' and 'bulk' = any(tags)`),
    ).toBe(300);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('no longer matches').first().waitFor();
  }, 60_000);

  it('sees the right end of every job after a server that was gone for five seconds, without a reload', async () => {
    await enqueue(40, (index) => ({
      payload: { message: 'on', steps: 4, durationMs: 4_000 + 50 * index },
      tags: ['gap'],
    }));
    const page = await opened.open('/jobs?tag=gap');
    await badge(page, 'Running').first().waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await opened.api.restart(() => after(5_000));
    await page.getByText('Offline since').waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await waitFor(async () => (await badge(page, 'Succeeded').count()) === 40, {
      describe: 'forty rows to have succeeded',
      timeoutMs: 90_000,
      // Each look takes the page's time, of which a busy machine has little.
      pollMs: 500,
    });
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  }, 150_000);

  it('reads a payload of three megabytes with its integers as they were written', async () => {
    const [uuid] = await enqueue(1, () => ({
      payload: { message: 'big' },
      scheduledFor: '2099-01-01T00:00:00Z',
    }));
    await opened.api.superuser.query(
      `update millrace.jobs set payload = jsonb_build_object('n', 9007199254740991::numeric,
         'rows', (select jsonb_agg(jsonb_build_object('m', n, 'text', repeat('x', 120))) from generate_series(1, 18000) n)) where id = $1`,
      [uuid],
    );
    const page = await opened.open(`/jobs/${uuid}?tab=data`);
    const text = page.getByRole('region', { name: 'Text of the payload' });
    await text.getByText('"n": 9007199254740991').waitFor();
    expect(await text.locator('.json-line').count()).toBeLessThan(200);
  }, 60_000);

  it('makes a schedule across a clock change and sees what the change does to it', async () => {
    const page = await opened.open('/schedules?edit=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Night report');
    await dialog.getByLabel('Definition').selectOption('echo');
    await dialog.getByLabel('Cron').fill('30 2 28-31 3 *');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByLabel('Payload template').fill('{ "message": "report" }');
    await dialog.getByText('the clock skips this hour').first().waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Night report' }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.waitForURL(/\/jobs\/[\w-]{36}/);
    await badge(page, 'Succeeded').first().waitFor();
  }, 60_000);

  it('submits a link, watches its stages to their end, and finds it by meaning, with the score explained', async () => {
    const page = await opened.open('/links');
    await page.getByLabel('Address of a page or a video').fill(`http://127.0.0.2:${site.port}/seen`);
    await page.getByRole('button', { name: 'Submit' }).click();
    const list = page.getByRole('region', { name: 'List of links' });
    await list
      .getByRole('link', { name: /seen$|Seen queues/ })
      .first()
      .click();
    const stages = page.getByRole('region', { name: 'Stages' });
    await stages.locator('.badge', { hasText: 'Succeeded' }).nth(1).waitFor();
    await page
      .getByRole('heading', { name: /Seen queues/ })
      .locator('.badge', { hasText: 'Done' })
      .waitFor();
    await page.getByRole('region', { name: 'Similar links' }).getByText('Meaning').waitFor();
    await page.getByRole('region', { name: 'Article' }).getByText('Ada Lovelace').waitFor();
    await page.getByRole('link', { name: 'All links' }).click();
    await page
      .getByLabel('What to look for, by meaning and by words')
      .fill('how a dead worker loses its job');
    const found = page.getByRole('list', { name: 'Found links' });
    await found.getByText(/Score \d\.\d\d: meaning \d\.\d\d, place 1/).waitFor();
    expect(opened.problems).toEqual([]);
  }, 60_000);

  it('sees a queue’s live and archived messages, as they come', async () => {
    const page = await opened.open('/messages');
    const live = page.getByRole('region', { name: 'Live messages' });
    await live.getByText('https://example.com/b').waitFor();
    await opened.api.superuser.query(
      `select pgmq.send('scrape_jobs', '{"url": "https://example.com/late"}')`,
    );
    await live.getByText('https://example.com/late').waitFor();
    await page.getByRole('tab', { name: 'Archived' }).click();
    const archived = page.getByRole('region', { name: 'Archived messages' });
    await archived.getByText('https://example.com/a').waitFor();
    expect(await archived.locator('tbody tr').count()).toBe(1);
  }, 60_000);

  it('sends an upload once more after a reload, and it goes on as the same video', async () => {
    const page = await opened.open('/videos');
    let cutCount = 0;
    await page.route('**/uploads/**', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      cutCount++;
      return route.abort();
    });
    await page.locator('input[type=file]').setInputFiles(SAMPLE);
    await waitFor(() => cutCount > 0, { describe: 'the upload to be cut' });
    await page.unroute('**/uploads/**');
    await page.reload();
    await page.locator('input[type=file]').setInputFiles(SAMPLE);
    await page.getByText('sent; its work begins').waitFor();
    expect(await countOf('select count(*) from millrace.videos')).toBe(1);
    expect(opened.problems).toEqual([]);
  }, 60_000);

  it('finds what was said in a call, listens to it from there, and makes a clip of it', async () => {
    const page = await opened.open('/calls');
    await page.getByRole('link', { name: 'A contract' }).waitFor();
    await page.getByLabel('What to look for in what was said').fill('insurance');
    await page.getByRole('link', { name: /Bob.*insurance/s }).click();
    await page.waitForURL(/\/calls\/[\w-]{36}\?t=3/);
    const at = async () => Number(await page.evaluate(`document.querySelector('audio')?.currentTime ?? -1`));
    await waitFor(async () => Math.abs((await at()) - 3) < 0.2, {
      describe: 'the player to be where it is said',
    });
    const current = page.locator('.turns button[aria-current=true]');
    await current.filter({ hasText: 'insurance' }).waitFor();
    // A click on another turn, and on the picture of the sound, moves the player, and the transcript with it.
    await page.locator('.turns button').last().click();
    await waitFor(async () => Math.abs((await at()) - 6) < 0.2, { describe: 'the player at the last turn' });
    await current.filter({ hasText: 'Ann' }).waitFor();
    const wave = page.getByRole('slider', { name: 'Position in the call' });
    await wave.focus();
    await page.keyboard.press('ArrowLeft');
    await waitFor(async () => Math.abs((await at()) - 1) < 0.2, {
      describe: 'the player five seconds earlier',
    });
    await page.locator('.waveform path.wave').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Make the clip' }).click();
    await page.locator('.clips audio').waitFor();
    expect(
      await countOf(`select count(*) from millrace.clips where call_id is not null and status = 'ready'`),
    ).toBe(1);
    expect(opened.problems).toEqual([]);
  }, 60_000);

  it('submits a recording, and sees its stages run to their end', async () => {
    const page = await opened.open('/calls');
    const recording = await makeMedia(await makeTempDir(), [...TONE(2), 'tone.mp3']);
    await page.getByLabel('Who speaks, in the order of the channels').fill('Carol');
    await page.locator('input[type=file]').setInputFiles(recording);
    await page.getByRole('link', { name: 'tone.mp3' }).click();
    await badge(page, 'Ready').waitFor();
    await badge(page, 'succeeded').nth(3).waitFor();
    await page.getByText('Carol').first().waitFor();
    await page.getByRole('link', { name: 'Waveform' }).waitFor();
    expect(opened.problems).toEqual([]);
  }, 60_000);
});

const paths = (): readonly string[] => [
  '/jobs',
  `/jobs/${jobId}`,
  `/jobs/${jobId}?tab=data`,
  `/jobs/${jobId}?tab=log`,
  '/definitions',
  '/definitions/echo',
  '/schedules?edit=new',
  '/triggers',
  '/triggers?tab=events',
  '/settings',
  '/settings?tab=keys',
  '/settings?tab=audit',
  '/videos',
  '/search?q=water',
  '/calls',
  '/calls?q=insurance',
  `/calls/${callId}?t=3`,
  '/links',
  '/links?q=water',
  `/links/${linkId}`,
  '/messages',
  '/messages?tab=archived',
];

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const isStill = `document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity || each.playState !== 'running')`;
  // Evaluated and not waited for in the page: that would need what its policy forbids.
  await waitFor(async () => (await page.evaluate(isStill)) === true, { describe: 'the page to stand still' });
}

describe('a page of any kind', () => {
  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
  ] as const)(
    'has no problem that axe knows at $width px in the $colorScheme theme, and scrolls in no other direction than down',
    async ({ width, colorScheme }) => {
      const page = await opened.open('/jobs', { viewport: { width, height: 844 }, colorScheme });
      await settled(page);
      await page.evaluate(`${AXE};0`);
      const found: string[] = [];
      for (const path of paths()) {
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
      expect(opened.problems).toEqual([]);
    },
    60_000,
  );

  it('costs little to begin with: the scripts of the jobs page are at most 200 KiB', async () => {
    const page = await opened.open('/settings');
    const sizes = new Map<string, number>();
    page.on('response', (response) => {
      if (response.url().endsWith('.js'))
        sizes.set(response.url(), Number(response.headers()['content-length']));
    });
    await page.goto(`${opened.api.url}/console/jobs`);
    await page.locator('table.jobs').waitFor();
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  }, 60_000);
});
