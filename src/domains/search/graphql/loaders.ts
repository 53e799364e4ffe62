import DataLoader from 'dataloader';
import { reachesPartOf } from '../../../core/reach.ts';
import type { EntityRow, SegmentRow } from '../../../db/prisma.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { rowsById } from '../../../graphql/loaders.ts';
import { storyboardKey } from '../../../storage/video-keys.ts';
import { type FirstOfVideo, firstOfVideos } from '../../videos/api.ts';
import { type FirstSegmentRow, firstSegmentsOfVideos } from '../sql/first-segments-of-videos.ts';

export const segmentLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<SegmentRow>(
    reads,
    (prisma, ids) => prisma.segment.findMany({ where: { tenantId, id: { in: ids } } }),
    (row) => reachesPartOf(reach, row.videoId),
  ),
);

/** The first texts of a video and how many of them; many videos' in one statement. */
export const firstSegmentsLoader = defineLoader<FirstOfVideo, readonly SegmentRow[]>(({ reads, tenantId }) =>
  firstOfVideos(async (videoIds, take) => {
    const ids = await reads.query<FirstSegmentRow>(firstSegmentsOfVideos, [tenantId, videoIds, take]);
    const prisma = await reads.prisma();
    return await prisma.segment.findMany({
      where: { tenantId, id: { in: ids.map(({ id }) => id) } },
      orderBy: [{ tStart: 'asc' }, { id: 'asc' }],
    });
  }),
);

/** What was recognised in a text, by the segment's id. */
export const entitiesOfSegmentLoader = defineLoader<string, readonly EntityRow[]>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const prisma = await reads.prisma();
      const where = { tenantId, segmentId: { in: [...ids] } };
      const found = await prisma.entity.findMany({ where, orderBy: { id: 'asc' } });
      const bySegment = Map.groupBy(found, ({ segmentId }) => segmentId);
      return ids.map((id) => bySegment.get(id) ?? []);
    }),
);

/** Whether a video has a storyboard, by its id. */
export const hasStoryboardLoader = defineLoader<string, boolean>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const prisma = await reads.prisma();
      const where = { tenantId, key: { in: ids.map(storyboardKey) } };
      const rows = await prisma.artifact.findMany({ where, select: { key: true } });
      const found = new Set(rows.map(({ key }) => key));
      return ids.map((id) => found.has(storyboardKey(id)));
    }),
);
