import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ConsoleTools } from './opened-console.ts';

const LATER = '2099-01-01T00:00:00Z';

/**
 * Two runs of a command, as a worker leaves them: one that got lost, and one that has failed after a wait.
 */
async function makeRuns({ api, tenantId, enqueue }: ConsoleTools): Promise<string> {
  const [uuid = ''] = await enqueue(1, () => ({ payload: { message: 'runs' }, scheduledFor: LATER }));
  await api.superuser.query(
    `insert into millrace.stored_attempts
       (job_id, tenant_id, attempt_no, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, exit_code, signal, pid, stdout_tail, stderr_tail)
     select $1::uuid, $2::uuid, a.* from (values
       (1, 'worker-a', 'lost', now() - interval '50 s', now() - interval '50 s', now() - interval '40 s', null::jsonb, null::int, null::int, null, 41, null, null),
       (2, 'worker-b', 'failed', now() - interval '20 s', now() - interval '20 s', now() - interval '10 s',
        '{"type": "CommandFailed", "message": "encode exited with code 3"}', 10000, 3, null, 42, 'frame=1', 'no space left')) a`,
    [uuid, tenantId],
  );
  await api.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, data, logged_at)
     select $1::uuid, l.run, l.n, $2::uuid, l.level, l.message, l.data::jsonb, now() from (values
       (1, 1, 'info', 'of the run before, see https://example.com/help', null), (1, 2, 'info', E'two lines:\\nthe second of them', null),
       (2, 1, 'debug', 'a detail', null), (2, 2, 'info', 'a plain line', '{"count": 7}'), (2, 3, 'warn', 'a warning', null),
       (2, 4, 'error', 'an error', null), (2, 5, 'info', E'\\x1b[1;32mdone\\x1b[0m of it', '{"stream": "stdout"}'),
       (2, 6, 'warn', 'no space left', '{"stream": "stderr"}')) l (run, n, level, message, data)`,
    [uuid, tenantId],
  );
  // Not by a worker, which alone may move a job so.
  await api.superuser.query(
    `set session_replication_role = replica;
     update millrace.jobs set status = 'dead_letter', finished_at = now(), run_no = 2, attempt_count = 2, lost_lease_count = 1,
       queued_at = now() - interval '1 min', scheduled_for = now() - interval '1 min', started_at = now() - interval '50 s',
       last_error = '{"type": "CommandFailed", "message": "encode exited with code 3"}' where id = '${uuid}';
     reset session_replication_role`,
  );
  return uuid;
}

const linesOf = (page: Page) => page.locator('.log-line .log-text').allTextContents();

/** All that a job's page says, and what may be changed there. */
export function jobPage(tools: () => ConsoleTools): void {
  describe('a job’s page', () => {
    it('shows runs and waits on one axis, how commands ended, and a log to filter, copy and keep', async () => {
      const page = await tools().open(`/jobs/${await makeRuns(tools())}`);
      const timeline = page.getByRole('region', { name: 'Timeline' });
      await timeline.getByText('Run 2, failed').waitFor();
      await timeline.getByText('1 lost with their workers').waitFor();
      expect(await timeline.locator('.timeline-name').allTextContents()).toEqual([
        'Run 1, lost',
        'Waited',
        'Run 2, failed',
      ]);
      const runs = page.getByRole('region', { name: 'Runs' });
      await runs.getByText(/exit 3 · pid 42/).waitFor();
      await runs.getByText('End of stderr').click();
      await runs.getByText('no space left', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Log' }).click();
      await page.locator('.log-line .ansi-bold.ansi-fg-green').getByText('done').waitFor();
      await page
        .getByRole('link', { name: 'https://example.com/help' })
        .and(page.locator('[rel~=noopener][target=_blank]'))
        .waitFor();
      const heightOf = async (text: string): Promise<number> =>
        (await page.locator('.log-line', { hasText: text }).boundingBox())?.height ?? 0;
      expect(await heightOf('the second of them')).toBeGreaterThan(1.5 * (await heightOf('a warning')));
      await page.getByLabel('Run', { exact: true }).selectOption('Run 2');
      await page.waitForURL(/tab=log&attempt=2$/);
      await page.getByRole('button', { name: 'debug' }).click();
      await page.getByRole('button', { name: 'stderr' }).click();
      expect(await linesOf(page)).toEqual([
        'a plain line {"count":7}',
        'a warning',
        'an error',
        'done of it',
      ]);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the lines shown' }).click();
      await page.getByText('Copied').waitFor();
      expect(String(await page.evaluate('navigator.clipboard.readText()')).split('\n')).toHaveLength(4);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the whole log' }).click();
      const file = await readFile(await (await downloading).path(), 'utf8');
      expect(file.trimEnd().split('\n')).toHaveLength(9);
    });

    it('says what a job waits for with a link to it, draws what depends on it, and changes it while it waits', async () => {
      const { enqueue, api } = tools();
      const [parent = ''] = await enqueue(1, () => ({ payload: { message: 'first' }, scheduledFor: LATER }));
      const [child = ''] = await enqueue(1, () => ({
        payload: { message: 'second' },
        dependsOn: [{ jobId: parent }],
      }));
      const page = await tools().open(`/jobs/${child}`);
      const why = page.getByRole('status').filter({ hasText: 'Why it waits' });
      await why.getByText('A job that it depends on has not ended').waitFor();
      await page.getByRole('tab', { name: 'Dependencies' }).click();
      await page.getByRole('img', { name: /2 jobs and what they wait for/ }).waitFor();
      const row = page.getByRole('region', { name: 'Dependencies as a table' }).locator('tbody tr');
      expect(await row.locator('td').allTextContents()).toEqual([
        `echo ${child.slice(-8)}`,
        'Queued',
        `echo ${parent.slice(-8)}`,
        'cancel',
      ]);
      await page.getByRole('tab', { name: 'Overview' }).click();
      await why.getByRole('link').click();
      await page.waitForURL(new RegExp(parent));
      await page.getByText(/It is not to start before/).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel(/^Priority/).fill('7');
      await page.getByLabel(/^Not before/).fill('2098-02-03T04:05:06');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      const facts = page.getByRole('region', { name: 'Facts' });
      await facts.getByText('3 Feb 2098 04:05:06').waitFor();
      const { rows } = await api.superuser.query(
        'select priority, scheduled_for from millrace.jobs where id = $1',
        [parent],
      );
      expect(rows).toEqual([{ priority: 7, scheduled_for: new Date('2098-02-03T04:05:06Z') }]);
      await page.getByRole('link', { name: 'Enqueue a copy' }).click();
      await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
      await page
        .getByRole('region', { name: 'Enqueued job' })
        .getByRole('link', { name: 'Open it' })
        .waitFor();
    });
  });
}
