import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait.ts';
import { drawnShare } from './drawn-share.ts';
import type { ConsoleTools } from './opened-console.ts';

/** What those who run jobs look at and change. */
export function operatorPages(tools: () => ConsoleTools): void {
  describe('an operator', () => {
    it('sees a bar of progress drawn as far as its figure says', async () => {
      const [uuid] = await tools().enqueue(1, () => ({
        payload: { message: 'long', steps: 100, durationMs: 60_000 },
      }));
      const page = await tools().open(`/jobs/${uuid}`);
      const reader = await page.context().newPage();
      const card = page.getByRole('region', { name: 'Progress' });
      await card.waitFor();
      const figure = async (): Promise<number> =>
        Number.parseInt((await card.locator('strong').textContent()) ?? '', 10);
      for (const least of [5, 12]) {
        await waitFor(async () => (await figure()) >= least, { describe: `${least} %`, pollMs: 100 });
        const before = await figure();
        const drawn = 100 * (await drawnShare(card.locator('progress'), reader));
        // It may go on by some steps while it is looked at.
        expect(drawn).toBeGreaterThanOrEqual(before - 1.5);
        expect(drawn).toBeLessThanOrEqual((await figure()) + 2.5);
      }
      await page.keyboard.press('c');
      await page.getByRole('button', { name: /Cancel the job|Ask it to stop/ }).click();
    });

    it('filters the log of a running job, and the filter holds for lines that come while it is set', async () => {
      const [uuid] = await tools().enqueue(1, () => ({
        payload: { message: 'writes', steps: 1_000, durationMs: 600_000 },
      }));
      const stored = () =>
        tools().countOf(`select count(*) from millrace.job_log_lines where job_id = '${uuid}'`);
      const page = await tools().open(`/jobs/${uuid}?tab=log`);
      const lines = page.getByRole('region', { name: 'Log' }).getByRole('status');
      const shown = async (): Promise<number> =>
        Number.parseInt((await lines.first().textContent()) ?? '', 10);
      await page.locator('.log-line').first().waitFor();
      await page.getByRole('button', { name: 'debug' }).click();
      await page.getByText('No line matches').waitFor();
      const before = await stored();
      await waitFor(async () => (await stored()) > before + 5, { describe: 'more lines', pollMs: 100 });
      await page.getByText('No line matches').waitFor();
      expect(await shown()).toBe(0);
      await page.getByRole('button', { name: 'debug' }).click();
      // They were all there: nothing was left out of what came.
      await waitFor(async () => (await shown()) > before + 5, { describe: 'the lines that came meanwhile' });
      await page.getByLabel('Find in the log').fill('"step":3,');
      await waitFor(async () => (await shown()) === 1, { describe: 'the one line with that field' });
      await tools().graphql(`mutation { cancelJob(input: { id: "${uuid}" }) { __typename } }`);
    });

    it('finds on the overview what fails, what waits and why, and retries all that failed', async () => {
      const { enqueue, open, countOf } = tools();
      await enqueue(3, () => ({
        payload: { message: 'x', failTimes: 1 },
        maxAttempts: 1,
        tags: ['overview'],
      }));
      const [later = ''] = await enqueue(1, () => ({
        payload: { message: 'later' },
        scheduledFor: '2099-01-01T00:00:00Z',
      }));
      const [child = ''] = await enqueue(1, () => ({
        payload: { message: 'after it' },
        dependsOn: [{ jobId: later }],
      }));
      await tools().api.query(
        tools().superToken,
        `mutation { createJobDefinition(input: { key: "overview_unserved" }) { __typename } }`,
      );
      const [due = ''] = await enqueue(1, () => ({ definition: 'overview_unserved', payload: {} }));
      await waitFor(
        async () =>
          (await countOf(
            `select count(*) from millrace.jobs where status = 'dead_letter' and 'overview' = any(tags)`,
          )) === 3,
        { describe: 'three failed jobs' },
      );
      const page = await open('/');
      await page.getByText('Throughput').waitFor();
      const waits = page.getByRole('region', { name: 'Waiting longest, and why' });
      for (const [waiting, why] of [
        [due, 'No running worker knows its definition'],
        [child, 'job that it depends on'],
      ] as const)
        await waits
          .getByRole('listitem')
          .filter({ hasText: waiting.slice(-8) })
          .getByText(why)
          .waitFor();
      expect(await waits.getByText(later.slice(-8), { exact: true }).count()).toBe(0);
      expect(await page.getByRole('navigation', { name: 'States' }).locator('[aria-pressed]').count()).toBe(
        0,
      );
      await page.getByRole('button', { name: 'Retry all failed jobs of echo' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /^Retry .*jobs$/ }).click();
      await dialog.getByRole('button', { name: 'Done' }).waitFor();
      // With a fresh budget: they fail again, as they were asked to.
      expect(
        await countOf(
          `select count(*) from millrace.audit_log a, millrace.jobs j
           where a.action = 'jobs.retry' and 'overview' = any(j.tags) and a.details -> 'jobIds' ? j.id::text`,
        ),
      ).toBe(3);
      await dialog.getByRole('button', { name: 'Done' }).click();
    });

    it('makes a webhook endpoint, sees its deliveries with their answers, delivers again, gives it a new secret, and pauses it', async () => {
      const statuses = [500, 204];
      const receiver = createServer((request, response) => {
        request.resume();
        response.statusCode = statuses.shift() ?? 204;
        response.setHeader('connection', 'close');
        response.end('so it is');
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      try {
        const page = await tools().open('/webhooks');
        await page.getByText('No endpoints yet').waitFor();
        await page.getByRole('button', { name: 'New endpoint' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill('Shop');
        await dialog
          .getByLabel('Address')
          .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
        await dialog.getByRole('button', { name: 'Make the endpoint' }).click();
        expect(await dialog.locator('[data-secret]').textContent()).toMatch(/^whsec_/);
        await dialog.getByRole('button', { name: 'I have kept it' }).click();
        const endpoint = await tools().api.superuser.query('select id from millrace.webhook_endpoints');
        await tools().graphql(
          `mutation ($template: JSON!) { createTrigger(input: { label: "To the shop", eventName: "shop.paid", definition: "deliver-webhook", payloadTemplate: $template }) { __typename ... on DomainFailure { message } } }`,
          { template: { endpoint: endpoint.rows[0].id, type: '{{event.$name}}', data: '{{event.$data}}' } },
        );
        await tools().graphql(
          'mutation { emitEvent(input: { name: "shop.paid", data: { order: 7 } }) { __typename } }',
        );
        const deliveries = page.getByRole('region', { name: 'Deliveries to Shop' });
        await deliveries.getByText('500', { exact: true }).waitFor();
        await deliveries.getByText('204', { exact: true }).waitFor();
        const before = await deliveries.getByText('204', { exact: true }).count();
        await deliveries.getByRole('button', { name: 'Again: deliver shop.paid' }).first().click();
        await waitFor(async () => (await deliveries.getByText('204', { exact: true }).count()) > before, {
          describe: 'one more delivery',
          pollMs: 100,
        });
        await page.getByRole('button', { name: 'New secret for Shop' }).click();
        await dialog.getByRole('button', { name: 'Make a new secret' }).click();
        await dialog.locator('[data-secret]').waitFor();
        await dialog.getByRole('button', { name: 'I have kept it' }).click();
        await page.getByRole('button', { name: 'Pause Shop' }).click();
        await page.locator('main .badge', { hasText: 'paused' }).waitFor();
      } finally {
        receiver.closeAllConnections();
        receiver.close();
      }
    });

    it('makes, changes and deletes a tenant as a super admin, and adds a member to one’s own', async () => {
      const page = await tools().open('/tenants', { token: tools().superToken });
      await page.getByRole('button', { name: 'New tenant' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/Slug/).fill('made-here');
      await dialog.getByRole('button', { name: 'Make the tenant' }).click();
      await page.getByRole('button', { name: 'Change made-here' }).click();
      await dialog.getByLabel(/Jobs at once/).fill('3');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await waitFor(
        async () =>
          (await tools().countOf(
            `select count(*) from millrace.tenants where slug = 'made-here' and max_running = 3`,
          )) === 1,
        { describe: 'the limit to be set' },
      );
      await page.getByRole('button', { name: 'Delete made-here' }).click();
      await dialog.getByRole('button', { name: 'Delete the tenant' }).click();
      await page.getByRole('button', { name: 'Change made-here' }).waitFor({ state: 'detached' });
      await page.goto(`${tools().api.url}/console/settings?tab=members`);
      await page.getByRole('button', { name: 'Add a member' }).click();
      await dialog.getByLabel(/Subject/).fill('alice');
      await dialog.getByLabel('Role').selectOption('TENANT_ADMIN');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('cell', { name: 'alice', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove alice' }).click();
      await dialog.getByRole('button', { name: 'Remove the member' }).click();
      await page.getByText('No members on record').waitFor();
    });
  });
}
