import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Tenant } from '../../../generated/prisma/client.ts';

/**
 * A new tenant with the slug $1 and the name $2; no row where the slug is taken, by a deleted tenant too.
 * Crosses tenants. Index: tenants_slug_key.
 */
export const insertTenant = statement(
  'insert_tenant',
  `
insert into millrace.tenants (slug, name) values ($1, $2)
on conflict (slug) do nothing
returning id`,
);

export type InsertedTenantRow = Columns<Tenant, 'id'>;
