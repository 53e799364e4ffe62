import { statement } from '../../../db/statement.ts';

/** Notes that the file $1 lies in the store with $2 bytes. Locks the row. Index: job_files_pkey. */
export const storeJobFile = statement(
  'store_job_file',
  'update millrace.job_files set size_bytes = $2::bigint, uploaded_at = clock_timestamp() where key = $1',
);
