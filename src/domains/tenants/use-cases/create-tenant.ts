import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { type OperationDeps, operate, recordChange } from '../../../operations/operation.ts';
import { MAX_TENANT_NAME_LENGTH, refused } from '../../../operations/ranges.ts';
import { type InsertedTenantRow, insertTenant } from '../sql/insert-tenant.ts';

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const SLUG_ALLOWED = '1 to 63 of a-z, 0-9 and -, no - first';

export interface NewTenant {
  readonly slug: string;
  /** The slug by default. */
  readonly name?: string | null | undefined;
}

/**
 * Makes a tenant.
 * @returns its id
 * @throws DomainError `Forbidden` `InvalidArgument` `AlreadyExists` `Busy`
 */
export const createTenant = defineUseCase(
  { name: 'createTenant', role: 'super_admin', scope: 'admin', toDo: 'make tenants' },
  async ({ db }: Pick<OperationDeps, 'db'>, actor: Caller, { slug, name }: NewTenant): Promise<string> => {
    if (!SLUG.test(slug)) throw refused('slug', JSON.stringify(slug.slice(0, 80)), SLUG_ALLOWED);
    const length = `1 to ${MAX_TENANT_NAME_LENGTH} characters`;
    if (name != null && name.trim() === '') throw refused('name', JSON.stringify(name.slice(0, 80)), length);
    checkFilterText('name', name, MAX_TENANT_NAME_LENGTH);
    return await operate(db, `tenant ${slug}`, async (tx) => {
      const { rows } = await tx.query<InsertedTenantRow>(insertTenant, [slug, name ?? slug]);
      const id = rows[0]?.id;
      if (id === undefined)
        throw new DomainError(
          'AlreadyExists',
          `There is a tenant ${slug} already, or one that is being deleted.`,
          {
            field: 'slug',
            allowed: 'a slug that no tenant has',
          },
        );
      await recordChange(tx, actor, 'tenant.create', { tenantId: id, type: 'tenant', id }, { slug });
      await recordOutcome(tx, id);
      return id;
    });
  },
);
