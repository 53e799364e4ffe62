import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * The active jobs behind dedupe keys of one tenant. Locks nothing. Index: jobs_active_dedupe_idx.
 */
export const findActiveDuplicates = statement(
  'find_active_duplicates',
  `
select id, dedupe_key from millrace.jobs
where tenant_id = $1 and dedupe_key = any ($2::text[]) and status in ('queued', 'running')`,
);

export interface ActiveDuplicateRow extends Columns<Job, 'id' | 'dedupe_key'> {
  readonly dedupe_key: string;
}
