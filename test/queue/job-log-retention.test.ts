import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PrunedLogsRow, pruneJobLogs } from '../../src/db/sql/queue/prune-job-logs.ts';
import { jobLogsDuty } from '../../workers/maintenance/pruner.ts';
import { retentionDuty } from '../../workers/maintenance/retention.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { turn } from '../workers/runtime/support/turn.ts';

let q: TestQueue;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

/** Jobs that ended N days ago, each with N lines. */
async function finished(daysAgo: number, count: number, lines: number): Promise<string[]> {
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
     select $1, $2, 'succeeded', now() - make_interval(days => $3) from generate_series(1, $4) returning id`,
    [tenantId, q.definitionId('alpha'), daysAgo, count],
  );
  const ids = rows.map((row) => row.id);
  await q.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, logged_at)
     select id, 1, n, $2, 'info', 'x', now() from unnest($1::uuid[]) id, generate_series(1, $3::int) n`,
    [ids, tenantId, lines],
  );
  return ids;
}

async function left(): Promise<{ lines: number; entries: number }> {
  const { rows } = await q.superuser.query(
    `select (select count(*)::int from millrace.job_log_lines) as lines, (select count(*)::int from millrace.deleted_job_logs) as entries`,
  );
  return rows[0];
}

test('the lines of jobs that retention deletes go with them, those of others stay', async () => {
  await q.superuser.query('delete from millrace.job_log_lines');
  const kept = await finished(1, 2, 3);
  await finished(30, 5, 700);
  await finished(30, 3, 0);
  await retentionDuty({ queue: q.queue, defaultSeconds: 14 * 86_400 }).run(turn());
  expect(await left()).toEqual({ lines: 3_506, entries: 5 });
  expect(await jobLogsDuty(q.queue).run(turn())).toEqual({ lines: 3_500 });
  expect(await left()).toEqual({ lines: 6, entries: 0 });
  const { rows } = await q.superuser.query('select distinct job_id from millrace.job_log_lines order by 1');
  expect(rows.map(({ job_id }) => job_id)).toEqual([...kept].sort());
});

test('lines are deleted a few at a time, whatever their number and wherever a batch ends', async () => {
  await q.superuser.query('delete from millrace.job_log_lines');
  await finished(30, 4, 10);
  await q.superuser.query('delete from millrace.jobs where tenant_id = $1', [tenantId]);
  const batches: number[] = [];
  for (let more = true; more; ) {
    const { rows } = await q.db.asWorker<PrunedLogsRow>(pruneJobLogs, [7]);
    batches.push(rows[0]?.lines ?? 0);
    more = rows[0]?.more ?? false;
  }
  expect(batches).toEqual([7, 7, 7, 7, 7, 5]);
  expect(await left()).toEqual({ lines: 0, entries: 0 });
});
