import type { Tenant } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** A living tenant's settings, locked for a change by an operator. Crosses tenants. Index: tenants_pkey. */
export const lockTenant = statement(
  'lock_tenant',
  `
select id, name, weight, paused_at, max_running, rate_limit_count, rate_limit_period_seconds, retention_seconds, max_stored_bytes, updated_at
from millrace.tenants where id = $1 and deleted_at is null
for no key update`,
);

/** A row whose bigint columns are text. */
export type LockedTenantRow = Columns<
  Tenant,
  | 'id'
  | 'name'
  | 'weight'
  | 'paused_at'
  | 'max_running'
  | 'rate_limit_count'
  | 'rate_limit_period_seconds'
  | 'retention_seconds'
  | 'max_stored_bytes'
  | 'updated_at'
>;
