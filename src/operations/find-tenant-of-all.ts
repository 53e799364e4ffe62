import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { ReadDatabase, TenantRow } from '../db/prisma.ts';

/** Any tenant by its id, deleted ones too; null when it is not there. */
export const findTenantOfAll = defineUseCase(
  { name: 'findTenantOfAll', role: 'super_admin', scope: 'admin', toDo: 'read other tenants' },
  async (reads: ReadDatabase, { tenantId }: Caller, id: string): Promise<TenantRow | null> => {
    const transaction = reads.read({ role: 'admin', tenantId });
    try {
      return await (await transaction.prisma()).tenant.findFirst({ where: { id } });
    } finally {
      await transaction.close();
    }
  },
);
