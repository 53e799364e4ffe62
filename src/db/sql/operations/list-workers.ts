import type { JobWorker } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Worker processes, newest first, at most 1000; stale after $1 seconds of silence. Locks nothing; the table
 * has a row a process.
 */
export const listWorkers = statement(
  'list_workers',
  `
select worker_id as "workerId", hostname, pid, version, definition_keys as "definitionKeys", concurrency,
       running_count as "runningCount", started_at as "startedAt", last_seen_at as "lastSeenAt", stopping_at as "stoppingAt",
       metadata, last_seen_at < clock_timestamp() - make_interval(secs => $1::float8) as "isStale"
from millrace.job_workers
order by started_at desc, worker_id
limit 1000`,
);

export interface WorkerRow
  extends Columns<JobWorker, 'hostname' | 'pid' | 'version' | 'concurrency' | 'metadata'> {
  readonly workerId: string;
  readonly definitionKeys: readonly string[];
  readonly runningCount: number;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
  readonly stoppingAt: Date | null;
  readonly metadata: {
    readonly typeConcurrency?: Readonly<Record<string, number>>;
    readonly remote?: boolean;
  };
  readonly isStale: boolean;
}
