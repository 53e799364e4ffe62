import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ClipRow, ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';

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
    reads: ReadTransaction,
    actor: Caller,
    videoId: string,
    page: PageArgs,
  ): Promise<ListedPage<ClipRow>> => {
    const window = windowOf(`clips/${videoId}`, page);
    const prisma = await reads.prisma();
    const fetched = await prisma.clip.findMany({
      where: { tenantId: actor.tenantId, videoId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);
