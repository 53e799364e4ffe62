import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText, distinctValues } from '../../../core/filter-values.ts';
import { idBoundsOf } from '../../../core/uuid-time.ts';
import type { ReadTransaction, VideoRow } from '../../../db/prisma.ts';
import { cursorOf } from '../../../jobs/list-cursor.ts';
import {
  costOfPage,
  type ListedPage,
  type PageArgs,
  pageOf,
  pageWithCursors,
  windowOf,
} from '../../../jobs/page.ts';
import { findListedVideos, type ListedVideoRow, type VideoConditions } from '../sql/find-listed-videos.ts';
import type { VideoStatus } from '../video-status.ts';

const MAX_TITLE_LENGTH = 300;
const MAX_CREATOR_LENGTH = 300;

/** Which videos; what is omitted does not matter. */
export interface VideoFilter {
  readonly statuses?: readonly VideoStatus[] | null | undefined;
  /** Part of the title, in whatever case. */
  readonly title?: string | null | undefined;
  readonly createdBy?: string | null | undefined;
  readonly team?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
}

/** Videos that one page looks at: some 20 ms, and more than any filter but a rare one needs. */
export const VIDEO_WALK_BUDGET = 5_000;

/**
 * A page of the actor's tenant's videos, newest first. Where a rare filter meets many videos the page may be
 * short or empty although there are more: it says so, and where to go on.
 * @throws DomainError `InvalidArgument` for page arguments and filter values
 */
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
    checkFilterText('filter.team', filter.team, MAX_CREATOR_LENGTH);
    checkFilterText('filter.createdBy', filter.createdBy, MAX_CREATOR_LENGTH);
    const window = windowOf('videos', page);
    const conditions: VideoConditions = {
      tenantId: actor.tenantId,
      direction: window.direction,
      // As ids are UUIDv7, their order and their bounds are those of the creation times.
      idBounds: idBoundsOf(window.id, filter),
      ownerId: filter.createdBy ?? null,
      teamId: filter.team ?? null,
      statuses: filter.statuses == null ? null : distinctValues('filter.statuses', filter.statuses),
      title: filter.title ?? null,
    };
    const prisma = await reads.prisma();
    if (!restricts(conditions)) {
      // Every row of the index is one of the page: there is nothing to walk over, and one statement does.
      const { tenantId, idBounds } = conditions;
      const all = boundsOf(idBounds);
      const orderBy = { id: window.direction };
      return pageOf(
        window,
        await prisma.video.findMany({ where: { tenantId, AND: all }, orderBy, take: window.take }),
      );
    }
    const limits = { take: window.take, budget: VIDEO_WALK_BUDGET };
    const { statement, values } = findListedVideos(conditions, limits);
    const listed = await reads.query<ListedVideoRow>(statement, values);
    const ids = listed.filter(({ isEnd }) => !isEnd).map(({ id }) => id);
    const rows = await prisma.video.findMany({
      where: { tenantId: actor.tenantId, id: { in: ids } },
      orderBy: { id: window.direction },
    });
    const end = ids.length === window.take ? undefined : listed.find(({ isEnd }) => isEnd);
    return pageWithCursors<VideoRow, { readonly id: string }>(window, rows, end ?? null, ({ id }) =>
      cursorOf(window.list, id),
    );
  },
);

const OPERATORS = { '<': 'lt', '>': 'gt', '>=': 'gte' } as const;

/** All of them, as several of one kind may be given. */
function boundsOf(bounds: VideoConditions['idBounds']) {
  return bounds.map(({ operator, id }) => ({ id: { [OPERATORS[operator]]: id } }));
}

/** Whether it looks at more videos than it shows. */
function restricts({ ownerId, teamId, statuses, title }: VideoConditions): boolean {
  return [ownerId, teamId, statuses, title].some((condition) => condition !== null);
}
