import { statement } from '../../statement.ts';
import { LOCKED_JOBS } from './lock-jobs.ts';

/**
 * Jobs $2 of tenant $1 with their definitions' keys, locked in id order for a change by an operator; those
 * that are not there are left out. Payloads only of subjects $3, whose pipelines may read them: a batch of
 * others could be hundreds of MiB. Leaves out, too, what another transaction holds: lock_jobs has waited for
 * it in vain. Index: jobs_pkey.
 */
export const lockFreeJobs = statement('lock_free_jobs', `${LOCKED_JOBS} skip locked`);
