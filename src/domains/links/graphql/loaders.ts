import type { LinkRow } from '../../../db/prisma.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { rowsById } from '../../../graphql/loaders.ts';

export const linkLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<LinkRow>(
    reads,
    (prisma, ids) => prisma.link.findMany({ where: { tenantId, id: { in: ids } } }),
    // No access token is limited to a link.
    () => reach === undefined,
  ),
);
