import type { Tenant } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * A living tenant by its id or slug. Crosses tenants: for the command line, before a tenant is known. Locks
 * nothing.
 * Indexes: tenants_pkey, tenants_slug_key.
 */
export const findTenant = statement(
  'find_tenant',
  `
select id, slug, name from millrace.tenants
where deleted_at is null and (slug = $1 or id = (case when $1 ~* '^[0-9a-f-]{36}$' then $1::uuid end))`,
);

export type TenantRow = Columns<Tenant, 'id' | 'slug' | 'name'>;
