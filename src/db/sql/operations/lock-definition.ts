import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * A definition's settings by key ($1), locked for a change by an operator. Index: job_definitions_key_key.
 */
export const lockDefinition = statement(
  'lock_definition',
  `
select id, key, paused_at, archived_at, declared, override, updated_at
from millrace.job_definitions where key = $1
for no key update`,
);

export interface LockedDefinitionRow
  extends Columns<
    JobDefinition,
    'id' | 'key' | 'paused_at' | 'archived_at' | 'declared' | 'override' | 'updated_at'
  > {
  /** What code declares; null when none does. */
  readonly declared: Readonly<Record<string, unknown>> | null;
  /** What an operator has set. */
  readonly override: Readonly<Record<string, unknown>>;
}
