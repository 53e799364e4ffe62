import type { Actor } from '../core/actor.ts';
import { reachedCreator } from '../core/reach.ts';
import type { JobRow, ReadTransaction } from '../db/prisma.ts';
import { type JobFilter, whereListed } from './job-filter.ts';
import { type ListedPage, type PageArgs, pageOf, windowOf } from './page.ts';

/**
 * A page of the actor's tenant's jobs, newest first; with an access token of its own ones. There is no total: counting would read them all.
 * @throws DomainError `InvalidArgument` for page arguments and filter values, `UnknownDefinition`
 */
export async function findJobs(
  reads: ReadTransaction,
  actor: Actor,
  filter: JobFilter,
  page: PageArgs,
): Promise<ListedPage<JobRow>> {
  const window = windowOf('jobs', page);
  const where = await whereListed(reads, actor.tenantId, filter, window.id);
  const mine = reachedCreator(actor.reach);
  const prisma = await reads.prisma();
  const fetched = await prisma.job.findMany({
    where: mine === null ? where : { AND: [where, { createdBy: mine }] },
    orderBy: { id: window.direction },
    take: window.take,
  });
  return pageOf(window, fetched);
}
