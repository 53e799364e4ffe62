import type { BulkActionRow } from '../../../db/prisma.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { rowsById } from '../../../graphql/loaders.ts';

/** Bulk actions are within nobody's reach who is limited to one video or one job. */
export const bulkActionLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<BulkActionRow>(
    reads,
    (prisma, ids) => prisma.bulkAction.findMany({ where: { tenantId, id: { in: ids } } }),
    () => reach === undefined,
  ),
);
