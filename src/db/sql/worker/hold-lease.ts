import { statement } from '../../statement.ts';

/**
 * Locks the job until the transaction ends, if this run still has it: nobody takes the lease away before the
 * commit. To be asked last, since the lease is not renewed meanwhile. Locks the row. Index: jobs_pkey.
 */
export const holdLease = statement(
  'hold_lease',
  `
select from millrace.jobs
where tenant_id = $1 and id = $2 and run_no = $3 and lease_token = $4
for no key update`,
);
