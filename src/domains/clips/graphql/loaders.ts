import { reachesPartOf } from '../../../core/reach.ts';
import type { ClipRow } from '../../../db/prisma.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { rowsById } from '../../../graphql/loaders.ts';

export const clipLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<ClipRow>(
    reads,
    (prisma, ids) => prisma.clip.findMany({ where: { tenantId, id: { in: ids } } }),
    (row) => reachesPartOf(reach, row.videoId),
  ),
);
