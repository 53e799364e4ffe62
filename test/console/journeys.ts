import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

const badge = (page: Page, word: string) => page.locator('main .badge', { hasText: word });

/** What people do from end to end. */
export function journeys(tools: () => ConsoleTools): void {
  describe('a person', () => {
    it('learns why a wrong key is refused, and signs in by a link whose token no request names', async () => {
      const page = await tools().open('/jobs');
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      expect(page.url()).not.toContain('token');
      expect(urls.filter((url) => url.includes(tools().token.slice(0, 20)))).toEqual([]);
      await page.getByRole('button', { name: /Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('API key or token').fill('not-a-key');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'You were not let in' }).waitFor();
    });

    it('finds a failing job by keyboard alone, reads why, and retries it', async () => {
      await tools().enqueue(1, () => ({ payload: { message: 'fails once', failTimes: 1 }, maxAttempts: 1 }));
      await waitFor(
        async () =>
          (await tools().countOf(`select count(*) from millrace.jobs where status = 'dead_letter'`)) === 2,
        {
          describe: 'the job to fail',
        },
      );
      const page = await tools().open('/jobs');
      await page.locator('table.jobs').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('status:dead_letter');
      await page.keyboard.press('Enter');
      await page.waitForURL(/status=DEAD_LETTER/);
      await badge(page, 'Dead letter').first().waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/jobs\/[\w-]{36}/);
      await page.locator('.attempt-error').getByText('Failing as asked: run 1').waitFor();
      await page.keyboard.press('r');
      await page.getByText('It is back in the queue').waitFor();
      await page.getByText('Run 2', { exact: true }).waitFor();
      expect(tools().problems).toEqual([]);
    });

    it('cancels 300 jobs by a filter, with a dialog that says how many', async () => {
      await tools().enqueue(300, () => ({
        payload: { message: 'later' },
        tags: ['bulk'],
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const page = await tools().open('/jobs?tag=bulk&status=QUEUED');
      await page.getByLabel('Select all shown').check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page
        .getByRole('region', { name: 'Selected jobs' })
        .getByRole('button', { name: 'Cancel' })
        .click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toContain('All queued jobs with tag bulk');
      await dialog.getByRole('button', { name: /^Cancel .*jobs$/ }).click();
      await dialog.getByRole('button', { name: 'Done' }).waitFor();
      expect(await dialog.locator('dl').textContent()).toContain('Canceled300');
      expect(
        await tools().countOf(
          `select count(*) from millrace.jobs where status = 'canceled' and 'bulk' = any(tags)`,
        ),
      ).toBe(300);
      await dialog.getByRole('button', { name: 'Done' }).click();
      // Rows stay where they are, also when all of them have left before anything was read again.
      const gone = page.locator('table.jobs tr.gone');
      await waitFor(async () => (await gone.count()) === 50, { describe: 'all rows to say that they left' });
      await gone.first().getByText('no longer matches').waitFor();
    });

    it('sees that a job has left the list, also when it did so before the list’s stream began', async () => {
      const [uuid] = await tools().enqueue(2, () => ({
        payload: { message: 'later' },
        tags: ['between'],
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const page = await tools().open('/settings');
      let mayStream = false;
      await page.routeWebSocket(/\/graphql/, (socket) => {
        if (mayStream) socket.connectToServer();
        else void socket.close({ code: 1001 });
      });
      await page.goto(`${tools().api.url}/console/jobs?tag=between&status=QUEUED`);
      await badge(page, 'Queued').nth(1).waitFor();
      await tools().graphql(
        `mutation { cancelJob(input: { id: "${uuid}" }) { __typename ... on DomainFailure { message } } }`,
      );
      mayStream = true;
      await page.getByText('no longer matches').waitFor();
      expect(await page.locator('tr.gone').count()).toBe(1);
    });

    it('reads a payload of three megabytes with its integers as they were written', async () => {
      const [uuid] = await tools().enqueue(1, () => ({
        payload: { message: 'big' },
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      await tools().api.superuser.query(
        `update millrace.jobs set payload = jsonb_build_object('n', 9007199254740991::numeric,
           'rows', (select jsonb_agg(jsonb_build_object('m', n, 'text', repeat('x', 120))) from generate_series(1, 18000) n)) where id = $1`,
        [uuid],
      );
      const page = await tools().open(`/jobs/${uuid}?tab=data`);
      const text = page.getByRole('region', { name: 'Text of the payload' });
      await text.getByText('"n": 9007199254740991').waitFor();
      expect(await text.locator('.json-line').count()).toBeLessThan(200);
    });

    it('opens a log of 100,000 lines at its end, and finds a line in it', async () => {
      const [uuid] = await tools().enqueue(1, () => ({
        payload: { message: 'logs' },
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      await tools().api.superuser.query(
        `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, logged_at)
         select $1, 1, n, $2, 'info', 'line number ' || n, now() from generate_series(1, 100000) n`,
        [uuid, tools().tenantId],
      );
      const page = await tools().open('/settings');
      const whole: string[] = [];
      let eventCount = 0;
      page.on('request', (request) => {
        if (request.url().includes('/log?all=1')) whole.push(request.url());
      });
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).includes('line number')) eventCount++;
        }),
      );
      await page.reload();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await page.evaluate(
        `globalThis.counts_ = []; new MutationObserver(() => globalThis.counts_.push(document.querySelector('.log [role=status]')?.textContent))
           .observe(document, { subtree: true, childList: true, characterData: true });
         history.pushState({}, '', '/console/jobs/${uuid}?tab=log'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByText('line number 100000', { exact: true }).waitFor();
      await page.getByRole('status').filter({ hasText: '100,000 lines' }).waitFor();
      // Older lines in one answer, none by the stream.
      expect(whole).toHaveLength(1);
      expect(eventCount).toBe(0);
      // Nothing, its end, and then all of it: a page that shows each step on that path does so some hundred
      // times.
      const counts = await page.evaluate('[...new Set(globalThis.counts_)].filter((each) => each != null)');
      expect(counts).toEqual(['0 lines', '100 lines', '100,000 lines']);
      await page.getByText('line number 100000', { exact: true }).waitFor();
      expect(await page.locator('.log-line').count()).toBeLessThan(200);
      await page.keyboard.press('/');
      await page.keyboard.type('number 4711');
      const found = page.locator('.log-line', { has: page.getByText('line number 4711', { exact: true }) });
      await found.getByRole('link', { name: 'Line 4711 of run 1' }).click();
      await page.waitForURL(/tab=log&line=1\.4711$/);
      // That address leads to the line.
      await page.reload();
      await page.locator('.log-line.place').getByText('line number 4711', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Follow' }).count()).toBe(1);
    });

    it('makes a schedule across a clock change and sees what the change does to it', async () => {
      const page = await tools().open('/schedules?edit=new');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Night report');
      await dialog.getByLabel('Definition').selectOption('echo');
      await dialog.getByLabel('Cron').fill('30 2 28-31 3 *');
      await dialog.getByLabel('Time zone').fill('Europe/Berlin');
      await dialog.getByLabel('Payload template').fill('{ "message": "report" }');
      await dialog.getByText('the clock skips this hour').first().waitFor();
      // In the schedule's zone with its offset, and in the reader's.
      const run = dialog.getByRole('region', { name: 'Next runs' }).locator('li').first();
      await run.getByText(/^\d{4}-03-\d\d 0[23]:[03]0:00\+0[12]:00$/).waitFor();
      await run.locator('time[title="UTC"]').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Night report' }).waitFor();
      await page.locator('article', { hasText: 'Night report' }).getByText('in Europe/Berlin').waitFor();
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.waitForURL(/\/jobs\/[\w-]{36}/);
      await badge(page, 'Succeeded').first().waitFor();
    });

    it('opens a schedule of equal distances, sees its own next run, saves it so, with another distance, by cron, and once', async () => {
      await tools().graphql(
        `mutation { createTrigger(input: { label: "Heartbeat", everySeconds: 5400, definition: "echo", payloadTemplate: { message: "beat" } }) { __typename ... on DomainFailure { message } } }`,
      );
      const page = await tools().open('/schedules');
      const schedule = page.locator('article', { hasText: 'Heartbeat' });
      const dialog = page.getByRole('dialog');
      const saved = async (): Promise<readonly unknown[]> => {
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        const { rows } = await tools().api.superuser.query(
          `select label, every_seconds, cron, run_at from millrace.triggers where label like 'Heartbeat%'`,
        );
        return rows;
      };
      await schedule.getByRole('button', { name: 'Edit' }).click();
      // Counted from the run that it waits for, and not from now.
      const { rows } = await tools().api.superuser.query(
        `select next_at from millrace.triggers where label = 'Heartbeat'`,
      );
      const next = (rows[0].next_at as Date).toISOString();
      await dialog.getByRole('region', { name: 'Next runs' }).locator(`time[datetime="${next}"]`).waitFor();
      await dialog.getByLabel('Name').fill('Heartbeat of the shop');
      expect(await saved()).toEqual([
        { label: 'Heartbeat of the shop', every_seconds: 5400, cron: null, run_at: null },
      ]);
      await schedule.getByRole('heading', { name: 'Heartbeat of the shop' }).waitFor();
      await schedule.getByRole('button', { name: 'Edit' }).click();
      expect(await dialog.getByLabel('Every').inputValue()).toBe('90');
      expect(await dialog.getByLabel('Unit').locator(':checked').textContent()).toBe('minutes');
      await dialog.getByLabel('Every').fill('45');
      await dialog.getByLabel('Unit').selectOption('seconds');
      await dialog.getByRole('heading', { name: 'Every 45 seconds' }).waitFor();
      expect(await saved()).toMatchObject([{ every_seconds: 45, cron: null }]);
      await schedule.getByText('Every 45 seconds').waitFor();
      await schedule.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByRole('button', { name: 'By cron' }).click();
      await dialog.getByLabel('Cron').fill('15 4 * * *');
      expect(await saved()).toMatchObject([{ every_seconds: null, cron: '15 4 * * *' }]);
      await schedule.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByRole('button', { name: 'Once' }).click();
      await dialog.getByLabel('At (your time zone)').fill('2098-02-03T04:05:06');
      await dialog.getByRole('heading', { name: /^Once, at 2098-02-03/ }).waitFor();
      expect(await dialog.getByRole('region', { name: 'Next runs' }).locator('li').count()).toBe(1);
      expect(await saved()).toMatchObject([
        { every_seconds: null, cron: null, run_at: new Date('2098-02-03T04:05:06Z') },
      ]);
      // The form begins with what the list shows, which is read again after the dialog has closed.
      await schedule.getByText(/^Once, at/).waitFor();
      await schedule.getByRole('button', { name: 'Edit' }).click();
      expect(await dialog.getByLabel('At (your time zone)').inputValue()).toContain('2098-02-03T04:05:06');
      expect(tools().problems).toEqual([]);
    });
  });
}
