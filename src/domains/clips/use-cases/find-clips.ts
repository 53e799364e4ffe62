import type { Actor } from '../../../core/actor.ts';
import type { ClipRow, ReadTransaction } from '../../../db/prisma.ts';
import { type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';

/** A page of the clips of a video of the actor's tenant, newest first. @throws DomainError `InvalidArgument` for page arguments */
export async function findClips(
  reads: ReadTransaction,
  actor: Actor,
  videoId: string,
  page: PageArgs,
): Promise<ListedPage<ClipRow>> {
  const window = windowOf(`clips/${videoId}`, page);
  const prisma = await reads.prisma();
  const fetched = await prisma.clip.findMany({
    where: { tenantId: actor.tenantId, videoId, id: window.id },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}
