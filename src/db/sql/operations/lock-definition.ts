import { statement } from '../../statement.ts';

/** A definition's settings by key ($1), locked for a change by an operator. Index: job_definitions_key_key. */
export const lockDefinition = statement(
  'lock_definition',
  `
select id, key, is_active, paused_at, max_running, max_running_per_tenant, rate_limit_count, rate_limit_period_seconds,
       rate_limit_per_tenant_count, rate_limit_per_tenant_period_seconds, retention_seconds
from millrace.job_definitions where key = $1
for no key update`,
);

export interface LockedDefinitionRow {
  readonly id: string;
  readonly key: string;
  readonly is_active: boolean;
  readonly paused_at: Date | null;
  readonly max_running: number | null;
  readonly max_running_per_tenant: number | null;
  readonly rate_limit_count: number | null;
  readonly rate_limit_period_seconds: number | null;
  readonly rate_limit_per_tenant_count: number | null;
  readonly rate_limit_per_tenant_period_seconds: number | null;
  /** bigint: as text. */
  readonly retention_seconds: string | null;
}
