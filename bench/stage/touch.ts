import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { machineMs } from '../measuring/clock.ts';
import type { Stage } from './stage.ts';

const UPDATE = `update millrace.jobs set priority = $2, version = version + 1, changed_xid = pg_current_xact_id() where id = $1`;

/**
 * Changes a job as the platform's processes do: notified after the commit. @returns when the commit was
 * known, by the machine's clock
 */
export async function changeJob(
  { client, notifier }: Stage,
  jobId: string,
  priority: number,
): Promise<number> {
  await client.query(`begin; set local millrace.notify = 'after_commit'`);
  await client.query(UPDATE, [jobId, priority]);
  await client.query('commit');
  const committedMs = machineMs();
  notifier.notify(WATCH_CHANNEL);
  return committedMs;
}
