import type { Tenant } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * A tenant by slug, made if it isn't there (only a new row has no xmax). Crosses tenants. Locks the
 * row. Index: tenants_slug_key.
 */
export const ensureTenant = statement(
  'ensure_tenant',
  `
insert into millrace.tenants as t (slug, name) values ($1, $2)
on conflict (slug) do update set slug = t.slug
returning id, xmax::text = '0' as created`,
);

export interface EnsuredTenantRow extends Columns<Tenant, 'id'> {
  readonly created: boolean;
}
