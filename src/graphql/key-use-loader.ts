import DataLoader from 'dataloader';
import { defineLoader } from './loader.ts';

/** When keys of the tenant were last used, by their ids; null for those that never were. */
export const keyUseLoader = defineLoader<string, Date | null>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const prisma = await reads.prisma();
      const rows = await prisma.apiKeyUse.findMany({ where: { tenantId, keyId: { in: [...ids] } } });
      const byId = new Map(rows.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
      return ids.map((id) => byId.get(id) ?? null);
    }),
);
