import { statement } from '../../statement.ts';

/** A worker process has stopped in good order. Locks its row. Index: job_workers_pkey. */
export const deleteWorker = statement(
  'delete_worker',
  'delete from millrace.job_workers where worker_id = $1',
);
