import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Tenant } from '../../../generated/prisma/client.ts';

/**
 * Tenants that are marked as deleted, oldest mark first, at most $1. Crosses tenants; a table of a row a
 * tenant. Index: tenants_deleted_idx.
 */
export const findDeletedTenants = statement(
  'find_deleted_tenants',
  `select id from millrace.tenants where deleted_at is not null order by deleted_at limit $1`,
);

export type DeletedTenantRow = Columns<Tenant, 'id'>;
