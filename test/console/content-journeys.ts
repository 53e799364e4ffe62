import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPgmq } from '../../src/db/migrate/pgmq.ts';
import { ARTICLE } from '../domains/links/support/pages.ts';
import { type StrangeServer, startStrangeServer } from '../outgoing/strange-server.ts';
import { callIn, submit } from '../support/call-platform.ts';
import { intoInbox } from '../support/flite-calls.ts';
import { FAST_H264, makeMedia, PICTURE, TONE } from '../support/media.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

const badge = (page: Page, word: string) => page.locator('main .badge', { hasText: word });

/** Videos, calls, links and messages of queues. */
export function contentJourneys(tools: () => ConsoleTools): void {
  describe('a person with videos, calls, links and messages', () => {
    let site: StrangeServer;

    beforeAll(async () => {
      site = await startStrangeServer({
        '/post': (_request, response) => void response.setHeader('content-type', 'text/html').end(ARTICLE),
        '/seen': (_request, response) =>
          void response
            .setHeader('content-type', 'text/html')
            .end(ARTICLE.replaceAll('Queues in Postgres', 'Seen queues')),
      });
      const { api, tenantId, examples, paths } = tools();
      const { superuser } = api;
      const callId = await makeCall(tools());
      await installPgmq({ connectionString: api.databaseUrl, tenant: await slugOf(tools(), tenantId) });
      await superuser.query(`select pgmq.create('scrape_jobs')`);
      await superuser.query(
        `select pgmq.send_batch('scrape_jobs', array['{"url": "https://example.com/a"}', '{"url": "https://example.com/b"}']::jsonb[])`,
      );
      await superuser.query(`select pgmq.archive('scrape_jobs', 1)`);
      const linkId = await submitted(tools(), `http://127.0.0.2:${site.port}/post?before`);
      const done = `select from millrace.links where id = $1 and status = 'done'`;
      await waitFor(async () => (await superuser.query(done, [linkId])).rowCount === 1, {
        describe: 'a link to be done',
      });
      Object.assign(examples, { callId, linkId });
      paths.push('/search?q=water', '/calls?q=insurance', '/links?q=water', `/calls/${callId}?t=3`);
    });
    afterAll(() => site?.close());

    it('goes on with an upload that was cut in the middle, after a reload, as the same video', async () => {
      // Short: the pipeline goes on beside the tests that follow.
      const recording = await makeMedia(await makeTempDir(), [
        ...PICTURE('320x180', 2),
        ...FAST_H264,
        'short.mp4',
      ]);
      const page = await tools().open('/videos');
      const bytes = await readFile(recording);
      const arrived = bytes.subarray(0, bytes.length >> 1);
      let isCut = false;
      await page.route('**/uploads/**', async (route) => {
        const request = route.request();
        if (request.method() !== 'PATCH') return route.continue();
        // Half of it reaches the server, and then the connection breaks.
        if (!isCut) {
          const { 'content-length': _, ...headers } = await request.allHeaders();
          const answer = await fetch(request.url(), { method: 'PATCH', headers, body: arrived });
          expect(answer.status).toBe(204);
        }
        isCut = true;
        return route.abort();
      });
      await page.locator('input[type=file]').setInputFiles(recording);
      await waitFor(() => isCut, { describe: 'the upload to be cut' });
      await page.unroute('**/uploads/**');
      await page.reload();
      const rest = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.locator('input[type=file]').setInputFiles(recording);
      expect((await rest).headers()['upload-offset']).toBe(String(arrived.length));
      await page.getByText('sent; its work begins').waitFor();
      const { rows } = await tools().api.superuser.query('select id from millrace.videos');
      expect(rows).toHaveLength(1);
      tools().examples['videoId'] = rows[0].id;
      await page.goto(`${tools().api.url}/console/videos?state=AWAITING_UPLOAD`);
      await page.getByText('No video matches').waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await page.getByLabel('Find a video').fill('SHORT');
      await page.getByRole('link', { name: /short/ }).waitFor();
      await page.getByLabel('Find a video').fill('long');
      await page.getByText('No video matches').waitFor();
      await page.goto(`${tools().api.url}/console/search?q=short`);
      await page.getByRole('region', { name: /short/ }).waitFor();
      await page.getByLabel('Videos since').fill('2099-01-01');
      await page.getByText('Nothing was found').waitFor();
      expect(tools().problems).toEqual([]);
    });

    it('imports a video from its address, and sees how far that is', async () => {
      const folder = await makeTempDir();
      const file = await readFile(
        await makeMedia(folder, [...PICTURE('160x90', 1), ...FAST_H264, 'far.mp4']),
      );
      const isSeen = Promise.withResolvers<void>();
      site.serve('/far%20away.mp4', (_request, response) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': file.length });
        response.write(file.subarray(0, file.length >> 1));
        void isSeen.promise.then(() => response.end(file.subarray(file.length >> 1)));
      });
      const page = await tools().open('/videos');
      const address = page.getByLabel('Address of a video');
      await address.fill('http://10.0.0.1/a.mp4');
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('is not a public address').first().waitFor();
      await address.fill(`http://127.0.0.2:${site.port}/far%20away.mp4`);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByRole('link', { name: 'far away' }).click();
      await page.getByText(/Its file is being fetched: .* MB \(\d+ %\)/).waitFor();
      isSeen.resolve();
      await page.getByRole('link', { name: 'transcode' }).waitFor();
      await page.getByRole('link', { name: 'fetch_original' }).waitFor();
      await page.locator('video').waitFor();
    });

    it('submits a link, watches its stages to their end, and finds it by meaning, with the score explained', async () => {
      const page = await tools().open('/links');
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
      expect(tools().problems).toEqual([]);
    });

    it('sees a queue’s live and archived messages, as they come', async () => {
      const page = await tools().open('/messages');
      const live = page.getByRole('region', { name: 'Live messages' });
      await live.getByText('https://example.com/b').waitFor();
      await tools().api.superuser.query(
        `select pgmq.send('scrape_jobs', '{"url": "https://example.com/late"}')`,
      );
      await live.getByText('https://example.com/late').waitFor();
      await page.getByRole('tab', { name: 'Archived' }).click();
      const archived = page.getByRole('region', { name: 'Archived messages' });
      await archived.getByText('https://example.com/a').waitFor();
      expect(await archived.locator('tbody tr').count()).toBe(1);
    });

    it('finds what was said in a call, listens to it from there, and makes a clip of it', async () => {
      const page = await tools().open('/calls');
      await page.getByRole('link', { name: 'A contract' }).waitFor();
      await page.getByLabel('What to look for in what was said').fill('insurance');
      await page.getByRole('link', { name: /Bob.*insurance/s }).click();
      await page.waitForURL(/\/calls\/[\w-]{36}\?t=3/);
      const at = async () =>
        Number(await page.evaluate(`document.querySelector('audio')?.currentTime ?? -1`));
      await waitFor(async () => Math.abs((await at()) - 3) < 0.2, {
        describe: 'the player to be where it is said',
      });
      const current = page.locator('.turns button[aria-current=true]');
      await current.filter({ hasText: 'insurance' }).waitFor();
      // A click on another turn, and on the picture of the sound, moves the player, and the transcript with
      // it.
      await page.locator('.turns button').last().click();
      await waitFor(async () => Math.abs((await at()) - 6) < 0.2, {
        describe: 'the player at the last turn',
      });
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
        await tools().countOf(
          `select count(*) from millrace.clips where call_id is not null and status = 'ready'`,
        ),
      ).toBe(1);
      // The page of the job that made it has it among its files, to be played there too.
      const { rows } = await tools().api.superuser.query(
        `select job_id from millrace.artifacts where subject_type = 'clip'`,
      );
      const path = `/jobs/${rows[0].job_id}?tab=files`;
      await page.goto(`${tools().api.url}/console${path}`);
      const files = page.getByRole('region', { name: 'Files' });
      await files.getByRole('button', { name: 'Play' }).click();
      await files.locator('audio').waitFor();
      tools().paths.push(path);
      expect(tools().problems).toEqual([]);
    });

    it('submits a recording, and sees its stages run to their end', async () => {
      const page = await tools().open('/calls');
      const recording = await makeMedia(await makeTempDir(), [...TONE(2), 'tone.mp3']);
      await page.getByLabel('Who speaks, in the order of the channels').fill('Carol');
      await page.locator('input[type=file]').setInputFiles(recording);
      await page.getByRole('link', { name: 'tone.mp3' }).click();
      await badge(page, 'Ready').waitFor();
      await badge(page, 'succeeded').nth(3).waitFor();
      await page.getByText('Carol').first().waitFor();
      await page.getByRole('link', { name: 'Waveform' }).waitFor();
      expect(tools().problems).toEqual([]);
    });
  });
}

async function slugOf({ api }: ConsoleTools, tenantId: string): Promise<string> {
  const { rows } = await api.superuser.query('select slug from millrace.tenants where id = $1', [tenantId]);
  return rows[0].slug;
}

async function submitted({ graphql }: ConsoleTools, url: string): Promise<string> {
  const data = (await graphql(
    `mutation ($url: String!) { submitLink(input: { url: $url }) { ... on SubmitLinkPayload { link { uuid } } } }`,
    { url },
  )) as never as { submitLink: { link: { uuid: string } } };
  return data.submitLink.link.uuid;
}

/** Two people in turn, each on a channel, through the worker; one of them says a word. */
async function makeCall({ api, tenantId, token }: ConsoleTools): Promise<string> {
  const path = await makeMedia(api.storageDir, [
    ...['-f', 'lavfi', '-i'],
    "aevalsrc='if(lt(t,2)+gte(t,6),0.5*sin(2764*t),0)|if(gte(t,3)*lt(t,5),0.5*sin(4147*t),0)':d=8:s=16000",
    'call.wav',
  ]);
  const objectKey = await intoInbox(api.storageDir, tenantId, path, 'call.wav');
  const made = await submit(api, token, {
    recording: { objectKey },
    title: 'A contract',
    speakers: ['Ann', 'Bob'],
  });
  const call = await callIn(api, token, made.call.uuid, 'READY', 'FAILED');
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
