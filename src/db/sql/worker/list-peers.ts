import type { JobWorker } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * The live workers that serve the same definitions as worker $1, itself included, and whether all their slots
 * were taken when they were last seen. No row: it is not registered yet. Locks nothing; job_workers has a row
 * a process.
 */
export const listPeers = statement(
  'list_peers',
  `
select w.worker_id, w.running_count >= w.concurrency as is_busy
from millrace.job_workers own join millrace.job_workers w on w.definition_keys = own.definition_keys
where own.worker_id = $1 and w.stopping_at is null and w.last_seen_at > clock_timestamp() - interval '30 seconds'`,
);

export interface PeerRow extends Columns<JobWorker, 'worker_id'> {
  readonly is_busy: boolean;
}
