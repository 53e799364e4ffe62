import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText, distinctValues } from '../../../core/filter-values.ts';
import type { Prisma, ReadTransaction, VideoRow } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import { idBounds } from '../../../jobs/uuid-time.ts';
import type { VideoStatus } from '../video-status.ts';

const MAX_TITLE_LENGTH = 300;
const MAX_CREATOR_LENGTH = 300;

/** Which videos; what is omitted does not matter. */
export interface VideoFilter {
  readonly statuses?: readonly VideoStatus[] | null | undefined;
  /** Part of the title, in whatever case. */
  readonly title?: string | null | undefined;
  readonly createdBy?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
}

/** A page of the actor's tenant's videos, newest first. @throws DomainError `InvalidArgument` for page arguments and statuses */
export const findVideos = defineUseCase(
  {
    name: 'findVideos',
    role: 'member',
    scope: 'videos:read',
    toDo: 'read videos',
    cost: (_filter: VideoFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: VideoFilter,
    page: PageArgs,
  ): Promise<ListedPage<VideoRow>> => {
    checkFilterText('filter.title', filter.title, MAX_TITLE_LENGTH);
    checkFilterText('filter.createdBy', filter.createdBy, MAX_CREATOR_LENGTH);
    const window = windowOf('videos', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.video.findMany({
      where: {
        tenantId: actor.tenantId,
        // As ids are UUIDv7, their order and their bounds are those of the creation times. The index of the tenant's videos has both.
        AND: [{ id: window.id }, { id: idBounds(filter) }],
        ...(filter.title != null && { title: containing(filter.title) }),
        ...(filter.createdBy != null && { ownerId: filter.createdBy }),
        ...(filter.statuses != null && {
          status: { in: distinctValues('filter.statuses', filter.statuses) },
        }),
      },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

/** Prisma hands the text on to ILIKE as it is. */
function containing(text: string): Prisma.StringFilter {
  return { contains: text.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' };
}
