import { waitFor } from '../../test/support/wait.ts';
import { noop } from './noop.ts';
import type { NoopWorker } from './noop-worker.ts';
import type { Stage } from './stage.ts';

const FILL = `
insert into millrace.jobs (tenant_id, definition_id, payload)
select $1, $2, jsonb_build_object('n', n) from generate_series(1, $3::int) n`;

const OPEN = `
select exists (select from millrace.jobs where status = 'running')
    or exists (select from millrace.jobs where status = 'queued' and pending_dependencies = 0) as open`;

const DRAIN_TIMEOUT_MS = 180_000;

/** Enqueues no-op jobs in one statement and waits until these workers have settled all of them. */
export async function drainBacklog(
  stage: Stage,
  workers: readonly NoopWorker[],
  count: number,
): Promise<{ readonly enqueuedAt: Date; readonly endedAt: Date }> {
  const { client, tenantId, definitionIdOf } = stage;
  // The statement's own trigger notifies the workers at the commit.
  await client.query(FILL, [tenantId, definitionIdOf(noop.key), count]);
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const called = (): number => workers.reduce((sum, worker) => sum + worker.count, 0);
  await waitFor(() => called() >= count, {
    describe: () => `${count} handlers to be called; ${called()} were`,
    timeoutMs: DRAIN_TIMEOUT_MS,
  });
  await waitFor(async () => !(await client.query<{ open: boolean }>(OPEN)).rows[0]?.open, {
    describe: 'the last jobs to be settled',
    timeoutMs: DRAIN_TIMEOUT_MS,
  });
  const last = await client.query<{ at: Date }>(
    'select max(finished_at) as at from millrace.jobs where tenant_id = $1',
    [tenantId],
  );
  return { enqueuedAt: (rows[0] as { now: Date }).now, endedAt: (last.rows[0] as { at: Date }).at };
}
