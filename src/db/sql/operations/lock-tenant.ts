import { statement } from '../../statement.ts';

/** A living tenant's settings, locked for a change by an operator. Crosses tenants. Index: tenants_pkey. */
export const lockTenant = statement(
  'lock_tenant',
  `
select id, name, weight, paused_at, max_running, rate_limit_count, rate_limit_period_seconds, retention_seconds, max_stored_bytes
from millrace.tenants where id = $1 and deleted_at is null
for no key update`,
);

export interface LockedTenantRow {
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly paused_at: Date | null;
  readonly max_running: number | null;
  readonly rate_limit_count: number | null;
  readonly rate_limit_period_seconds: number | null;
  /** bigint: as text. */
  readonly retention_seconds: string | null;
  /** bigint: as text. */
  readonly max_stored_bytes: string | null;
}
