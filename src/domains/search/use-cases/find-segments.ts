import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { isUuid } from '../../../core/ids.ts';
import type { ReadTransaction, SegmentRow } from '../../../db/prisma.ts';
import { refusedCursor, tagOf } from '../../../jobs/list-cursor.ts';
import { costOfPage, type Page, type PageArgs, sizeOf } from '../../../jobs/page.ts';

/** Where a text stands among those of its video. */
interface Place {
  readonly tStart: bigint;
  readonly id: string;
}

/** Where the first texts of a video are read from, together with those of others. */
export interface FirstSegments {
  load(first: { readonly videoId: string; readonly take: number }): Promise<readonly SegmentRow[]>;
}

/**
 * A page of what was read in a video of the actor's tenant, in the order of time.
 * @throws DomainError `InvalidArgument` for page arguments
 */
export const findSegments = defineUseCase(
  {
    name: 'findSegments',
    role: 'member',
    scope: 'videos:read',
    toDo: 'read texts of videos',
    cost: (_videoId: string, page: PageArgs) => costOfPage(page),
  },
  async (
    { reads, first }: { readonly reads: ReadTransaction; readonly first?: FirstSegments },
    actor: Caller,
    videoId: string,
    args: PageArgs,
  ): Promise<Page<SegmentRow>> => {
    const { size, fromEnd } = sizeOf(args);
    const after = args.after == null ? null : placeOf(videoId, 'after', args.after);
    const before = args.before == null ? null : placeOf(videoId, 'before', args.before);
    if (first !== undefined && after === null && before === null && !fromEnd) {
      const found = await first.load({ videoId, take: size + 1 });
      return { rows: found.slice(0, size), hasNextPage: found.length > size, hasPreviousPage: false };
    }
    const prisma = await reads.prisma();
    const direction = fromEnd ? 'desc' : 'asc';
    const fetched = await prisma.segment.findMany({
      where: {
        tenantId: actor.tenantId,
        videoId,
        AND: [
          ...(after === null ? [] : [beyond('gt', after)]),
          ...(before === null ? [] : [beyond('lt', before)]),
        ],
      },
      orderBy: [{ tStart: direction }, { id: direction }],
      take: size + 1,
    });
    const hasMore = fetched.length > size;
    const rows = fetched.slice(0, size);
    return fromEnd
      ? { rows: rows.toReversed(), hasNextPage: before !== null, hasPreviousPage: hasMore }
      : { rows, hasNextPage: hasMore, hasPreviousPage: after !== null };
  },
);

/** The cursor of a text: its video's list, its time and id. */
export function segmentCursorOf({ videoId, tStart, id }: Place & { readonly videoId: string }): string {
  return Buffer.from(`${listTag(videoId)}:${tStart}:${id}`).toString('base64url');
}

/** The first condition alone is one that an index takes. */
function beyond(side: 'gt' | 'lt', { tStart, id }: Place) {
  return {
    tStart: side === 'gt' ? { gte: tStart } : { lte: tStart },
    OR: [{ tStart: { [side]: tStart } }, { tStart, id: { [side]: id } }],
  };
}

function placeOf(videoId: string, field: string, cursor: string): Place {
  const [, tag, time, id] =
    /^([0-9a-f]{8}):(\d{1,18}):(.{36})$/.exec(Buffer.from(cursor.slice(0, 100), 'base64url').toString()) ??
    [];
  if (tag === listTag(videoId) && time !== undefined && id !== undefined && isUuid(id))
    return { tStart: BigInt(time), id };
  throw refusedCursor(field, cursor);
}

function listTag(videoId: string): string {
  return tagOf(`segments/${videoId}`).toString('hex');
}
