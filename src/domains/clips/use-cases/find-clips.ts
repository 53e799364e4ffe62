import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ClipRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';

/** Where the newest clips of a video are read from, together with those of others. */
export interface FirstClips {
  load(first: { readonly videoId: string; readonly take: number }): Promise<readonly ClipRow[]>;
}

/** A page of the clips of a video of the actor's tenant, newest first. @throws DomainError `InvalidArgument` for page arguments */
export const findClips = defineUseCase(
  {
    name: 'findClips',
    role: 'member',
    scope: 'videos:read',
    toDo: 'read clips',
    cost: (_videoId: string, page: PageArgs) => costOfPage(page),
  },
  async (
    { reads, first }: { readonly reads: ReadTransaction; readonly first?: FirstClips },
    actor: Caller,
    videoId: string,
    page: PageArgs,
  ): Promise<ListedPage<ClipRow>> => {
    const window = windowOf(`clips/${videoId}`, page);
    if (first !== undefined && page.after == null && page.before == null && page.last == null)
      return pageOf(window, [...(await first.load({ videoId, take: window.take }))]);
    const prisma = await reads.prisma();
    const fetched = await prisma.clip.findMany({
      where: { tenantId: actor.tenantId, videoId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
