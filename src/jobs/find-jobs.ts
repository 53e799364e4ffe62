import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { reachedCreator } from '../core/reach.ts';
import { JOB_COLUMNS } from '../db/job-columns.ts';
import type { JobRow, ReadTransaction } from '../db/prisma.ts';
import { conditionsOf, type JobFilter } from './job-filter.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from './page.ts';
import { walkJobs } from './walk-jobs.ts';

/**
 * A page of the actor's tenant's jobs, newest first; with an access token of its own ones. There is no total: counting would read them all.
 * Where a rare filter meets a long history the page may be short or empty although there are more: it says so, and where to go on.
 * @throws DomainError `InvalidArgument` for page arguments and filter values, `UnknownDefinition`
 */
export const findJobs = defineUseCase(
  {
    name: 'findJobs',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read jobs',
    cost: (_filter: JobFilter, page: PageArgs) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: JobFilter,
    page: PageArgs,
  ): Promise<ListedPage<JobRow>> => {
    const window = windowOf('jobs', page);
    const asked = await conditionsOf(reads, actor.tenantId, filter, window);
    const mine = reachedCreator(actor.reach);
    const conditions = mine === null ? asked : { ...asked, creators: [...(asked.creators ?? []), mine] };
    const found = await walkJobs<JobRow>(reads, conditions, { take: window.take, columns: JOB_COLUMNS });
    return pageOf(window, found.rows, found.stoppedAt);
  },
);
