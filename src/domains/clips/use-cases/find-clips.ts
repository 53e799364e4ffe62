import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ClipRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';

/** Where the newest clips of a video are read from, together with those of others. */
export interface FirstClips {
  load(first: { readonly videoId: string; readonly take: number }): Promise<readonly ClipRow[]>;
}

/** What clips are pieces of. */
export type ClipParent = { readonly videoId: string } | { readonly callId: string };

/**
 * A page of the clips of a video or call of the actor's tenant, newest first. @throws DomainError
 * `InvalidArgument` for page arguments
 */
export const findClips = defineUseCase(
  {
    name: 'findClips',
    role: 'member',
    scope: 'videos:read',
    toDo: 'read clips',
    cost: (_parent: ClipParent, page: PageArgs) => costOfPage(page),
  },
  async (
    { reads, first }: { readonly reads: ReadTransaction; readonly first?: FirstClips },
    actor: Caller,
    parent: ClipParent,
    page: PageArgs,
  ): Promise<ListedPage<ClipRow>> => {
    const videoId = 'videoId' in parent ? parent.videoId : null;
    const window = windowOf(`clips/${videoId ?? ('callId' in parent ? parent.callId : '')}`, page);
    if (
      videoId !== null &&
      first !== undefined &&
      page.after == null &&
      page.before == null &&
      page.last == null
    )
      return pageOf(window, [...(await first.load({ videoId, take: window.take }))]);
    const prisma = await reads.prisma();
    const fetched = await prisma.clip.findMany({
      where: { tenantId: actor.tenantId, ...parent, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
