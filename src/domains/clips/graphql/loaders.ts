import { reachesPartOf } from '../../../core/reach.ts';
import type { ClipRow } from '../../../db/prisma.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { rowsById } from '../../../graphql/loaders.ts';
import { type FirstOfVideo, firstOfVideos } from '../../videos/api.ts';
import { type FirstClipRow, firstClipsOfVideos } from '../sql/first-clips-of-videos.ts';

export const clipLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<ClipRow>(
    reads,
    (prisma, ids) => prisma.clip.findMany({ where: { tenantId, id: { in: ids } } }),
    (row) => reachesPartOf(reach, row.videoId),
  ),
);

/** The newest clips of a video and how many of them; many videos' in one statement. */
export const firstClipsLoader = defineLoader<FirstOfVideo, readonly ClipRow[]>(({ reads, tenantId }) =>
  firstOfVideos(async (videoIds, take) => {
    const ids = await reads.query<FirstClipRow>(firstClipsOfVideos, [tenantId, videoIds, take]);
    const prisma = await reads.prisma();
    return await prisma.clip.findMany({
      where: { tenantId, id: { in: ids.map(({ id }) => id) } },
      orderBy: { id: 'desc' },
    });
  }),
);
