import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Keys of the active definitions that callers of these roles may enqueue, from a to z. Locks nothing. Index:
 * job_definitions_key_key.
 */
export const listEnqueueableKeys = statement(
  'list_enqueueable_keys',
  `
select key from millrace.job_definitions where is_active and enqueue_role::text = any ($1::text[]) order by key limit $2`,
);

export type EnqueueableKeyRow = Columns<JobDefinition, 'key'>;
