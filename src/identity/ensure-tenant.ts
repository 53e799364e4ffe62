import type { Database } from '../db/database.ts';
import {
  type EnsuredTenantRow,
  ensureTenant as ensureTenantStatement,
} from '../db/sql/identity/ensure-tenant.ts';

/** The id of the tenant with this slug, made if it isn't there. */
export async function ensureTenant(db: Database, slug: string, name: string): Promise<string> {
  const { rows } = await db.asWorker<EnsuredTenantRow>(ensureTenantStatement, [slug, name]);
  const row = rows[0];
  if (row === undefined) throw new Error(`Tenant ${slug} was neither found nor made`);
  return row.id;
}
