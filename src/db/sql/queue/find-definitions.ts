import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** Definitions by key. Locks nothing. Index: job_definitions_key_key. */
export const findDefinitions = statement(
  'find_definitions',
  `
select id, key, is_active, max_attempts, lease_seconds, timeout_seconds, retry_policy, max_snoozes, snooze_deadline_seconds,
       arg_schema, enqueue_role, updated_at, override ? 'payloadSchema' as has_own_schema, archived_at is not null as is_archived,
       declared is not null as is_declared, coalesce((declared ->> 'isSinglePerSubject')::boolean, false) as is_single_per_subject,
       xmin::text as revision
from millrace.job_definitions where key = any ($1::text[])`,
);

export interface DefinitionRow
  extends Columns<
    JobDefinition,
    | 'id'
    | 'key'
    | 'is_active'
    | 'max_attempts'
    | 'lease_seconds'
    | 'timeout_seconds'
    | 'retry_policy'
    | 'max_snoozes'
    | 'snooze_deadline_seconds'
    | 'arg_schema'
    | 'enqueue_role'
    | 'updated_at'
  > {
  readonly arg_schema: Record<string, unknown>;
  readonly enqueue_role: 'member' | 'tenant_admin' | 'system';
  /** An operator has set the schema. */
  readonly has_own_schema: boolean;
  readonly is_archived: boolean;
  /** Code declares it, or a file of commands. */
  readonly is_declared: boolean;
  /** One active job per subject; see the routine keep_single_subject. */
  readonly is_single_per_subject: boolean;
  /** Another one after every change of the row, whatever made it. */
  readonly revision: string;
}
