import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import type { ConsoleTools } from './opened-console.ts';

/** What people miss in other consoles, as far as no journey passes there. */
export function requests(tools: () => ConsoleTools): void {
  describe('somebody who knows other consoles', () => {
    it('comes back to the filter and the state that were left, and finds the time zone as it was chosen', async () => {
      const page = await tools().open('/jobs?definition=echo', { timezoneId: 'Asia/Tokyo' });
      await page.getByRole('button', { name: /^Dead letter/ }).click();
      await page.waitForURL(/status=DEAD_LETTER/);
      await page.locator('table.jobs tbody a').first().click();
      await page.waitForURL(/\/jobs\/[\w-]{36}/);
      await page.goBack();
      await page.waitForURL(/\/jobs\?.*status=DEAD_LETTER/);
      expect(new URL(page.url()).searchParams.get('definition')).toBe('echo');
      const pressed = page.getByRole('navigation', { name: 'States' }).locator('[aria-pressed=true]');
      await pressed.getByText('Dead letter').waitFor();
      expect(await pressed.count()).toBe(1);
      await page.goBack();
      await pressed.getByText('All').waitFor();
      await page.getByRole('button', { name: /Times in/ }).click();
      await page.getByText('Times in UTC').waitFor();
      await page.reload();
      await page.getByText('Times in UTC').waitFor();
    });

    it('finds jobs by a field of their payload and by failed runs, and counts no other as a new one', async () => {
      const scheduledFor = '2099-01-01T00:00:00Z';
      const job = (message: string, steps: number) => ({ payload: { message, steps }, scheduledFor });
      await tools().enqueue(2, (index) => job('needle', index + 1));
      const page = await tools().open('/jobs');
      await page.getByLabel('Filter', { exact: true }).fill('payload:message=needle');
      await page.keyboard.press('Enter');
      await page.waitForURL(/payload=message/);
      const rows = page.locator('table.jobs tbody tr');
      await waitFor(async () => (await rows.count()) === 2, { describe: 'the two jobs' });
      // Of what comes now one matches.
      await tools().enqueue(3, (index) => job(index === 1 ? 'needle' : 'hay', 1));
      await page.getByRole('button', { name: '1 new' }).click();
      await waitFor(async () => (await rows.count()) === 3, { describe: 'the third job' });
      await page.getByLabel('Filter', { exact: true }).fill('attempts:1');
      await page.keyboard.press('Enter');
      await page.getByText('No job matches').waitFor();
      expect(tools().problems).toEqual([]);
    });

    it('finds what fails first among the definitions, with its times and its last failures', async () => {
      const page = await tools().open('/definitions');
      await page.locator('main tbody .failing').first().waitFor();
      const first = page.locator('main tbody tr').first();
      expect(await first.locator('strong').first().textContent()).toBe('echo');
      await first
        .getByText(/^\d.* (ms|s|m)$/)
        .first()
        .waitFor();
      await first.getByRole('link', { name: 'echo', exact: true }).click();
      await page.getByRole('tab', { name: 'Statistics' }).click();
      await page
        .getByRole('region', { name: 'Last failures' })
        .getByText('Failing as asked')
        .first()
        .waitFor();
      expect(tools().problems).toEqual([]);
    });

    it('tries a trigger against a recent event, and finds the events that made no job', async () => {
      await tools().graphql(
        `mutation { a: emitEvent(input: { name: "order.paid", data: { order: 1042 } }) { __typename }
          b: emitEvent(input: { name: "order.lost" }) { __typename } }`,
      );
      const page = await tools().open('/triggers');
      await page.locator('article', { hasText: 'order.paid' }).getByRole('button').click();
      await page.getByLabel('Recent events').selectOption({ index: 1 });
      expect(await page.getByLabel('Data of the event').inputValue()).toContain('1042');
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByText('It would make this job:').waitFor();
      await page.goto(`${tools().api.url}/console/triggers?tab=events&outcome=none`);
      const events = page.getByRole('region', { name: 'Events' });
      await events.getByText('order.lost').waitFor();
      expect(await events.getByText('order.paid').count()).toBe(0);
      await events.getByLabel('What came of them').selectOption('jobs');
      await events.getByText('order.paid').first().waitFor();
      expect(tools().problems).toEqual([]);
    });

    it('finds a schedule by name, goes from it to a job of it, and is asked before it is deleted', async () => {
      const page = await tools().open('/schedules?edit=new');
      const dialog = page.getByRole('dialog').first();
      await dialog.getByLabel('Name').fill('Hourly check');
      await dialog.getByLabel('Definition').selectOption('echo');
      await dialog.getByLabel('Cron').fill('* * * * *');
      await dialog.getByText('It runs 1,440 times a day.').waitFor();
      await dialog.getByLabel('Cron').fill('0 * * * *');
      await dialog.getByLabel('Payload template').fill('{ "message": "check" }');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      // The next runs come with the list: no request for each schedule.
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await page.goto(`${tools().api.url}/console/schedules`);
      await page.locator('article', { hasText: 'Hourly check' }).getByText('then').first().waitFor();
      expect(sent.filter((body) => body.includes('query Triggers('))).not.toEqual([]);
      expect(sent.filter((body) => body.includes('schedulePreview'))).toEqual([]);
      await page.getByLabel('Find a schedule').fill('hourly');
      const schedule = page.locator('article', { hasText: 'Hourly check' });
      await schedule.getByText('then').nth(1).waitFor();
      await schedule.getByRole('button', { name: 'Run now' }).click();
      await page.waitForURL(/\/jobs\/[\w-]{36}/);
      const path = new URL(page.url()).pathname;
      await page.goBack();
      await schedule.locator('.run-dots a').first().click();
      await page.waitForURL((url) => url.pathname === path);
      await page.goBack();
      await schedule.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Leave it');
      await page.getByRole('button', { name: 'Delete the schedule' }).click();
      await page.getByText('No schedule matches').waitFor();
      expect(tools().problems).toEqual([]);
    });
  });
}
