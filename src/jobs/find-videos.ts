import type { Actor } from '../core/actor.ts';
import { distinctValues } from '../core/filter-values.ts';
import type { ReadTransaction, VideoRow } from '../db/prisma.ts';
import { type ListedPage, type PageArgs, pageOf, windowOf } from './page.ts';
import type { VideoStatus } from './video-status.ts';

/** Which videos; what is left away does not matter. */
export interface VideoFilter {
  readonly statuses?: readonly VideoStatus[] | null | undefined;
}

/** A page of the actor's tenant's videos, newest first. @throws DomainError `InvalidArgument` for page arguments and statuses */
export async function findVideos(
  reads: ReadTransaction,
  actor: Actor,
  filter: VideoFilter,
  page: PageArgs,
): Promise<ListedPage<VideoRow>> {
  const window = windowOf('videos', page);
  const prisma = await reads.prisma();
  const fetched = await prisma.video.findMany({
    where: {
      tenantId: actor.tenantId,
      id: window.id,
      ...(filter.statuses != null && { status: { in: distinctValues('filter.statuses', filter.statuses) } }),
    },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}
