import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { reachedCreator } from '../core/reach.ts';
import { JOB_COLUMNS } from '../db/job-columns.ts';
import type { JobConditions } from '../db/job-walk-parts.ts';
import type { JobRow, ReadTransaction } from '../db/prisma.ts';
import { conditionsOf, type JobFilter } from './job-filter.ts';
import { behindJob, type JobOrder, type JobWindow, jobWindowOf, NEWEST_FIRST } from './job-order.ts';
import { costOfPage, type ListedPage, type PageArgs, pageWithCursors } from './page.ts';
import { WALK_BUDGET, type WalkPlace, walkJobs } from './walk-jobs.ts';

/**
 * A page of the actor's tenant's jobs, newest first unless another order is asked for; with an access token
 * of its own ones. There is no total: counting would read them all. Where a rare filter meets a long history
 * the page may be short or empty although there are more: it says so, and where to go on.
 * @throws DomainError `InvalidArgument` for page arguments and filter values, `UnknownDefinition`
 */
export const findJobs = defineUseCase(
  {
    name: 'findJobs',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read jobs',
    cost: (_filter: JobFilter, page: PageArgs, _order?: JobOrder) => costOfPage(page),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: JobFilter,
    page: PageArgs,
    order: JobOrder = NEWEST_FIRST,
  ): Promise<ListedPage<JobRow>> => {
    return await pageOfJobs(reads, actor, filter, jobWindowOf(page, order));
  },
);

/**
 * Jobs that may be skipped by number: they are walked over, so more of them would cost more than what is
 * shown.
 */
export const MAX_OFFSET = 10_000;

/** A page by its number of rows and how many come before it. */
export interface OffsetArgs {
  readonly limit?: number | null | undefined;
  readonly offset: number;
}

/**
 * A page of the actor's tenant's jobs that begins behind the first `offset` of them, newest first unless
 * another order is asked for. Rows that come or go meanwhile move it: cursors do not.
 * @throws DomainError `InvalidArgument` naming `offset` beyond `MAX_OFFSET`, and where the filter matches too
 *   few of many jobs to count them off; the rest as `findJobs`
 */
export const findJobsAtOffset = defineUseCase(
  {
    name: 'findJobsAtOffset',
    role: 'member',
    scope: 'jobs:read',
    toDo: 'read jobs',
    // Ten that are skipped are about the work of one that is shown.
    cost: (_filter: JobFilter, { limit, offset }: OffsetArgs, _order?: JobOrder) =>
      costOfPage({ first: limit }) + Math.ceil(Math.min(MAX_OFFSET, Math.max(0, offset)) / 10),
  },
  async (
    reads: ReadTransaction,
    actor: Caller,
    filter: JobFilter,
    { limit, offset }: OffsetArgs,
    order: JobOrder = NEWEST_FIRST,
  ): Promise<ListedPage<JobRow>> => {
    if (!Number.isInteger(offset) || offset < 0 || offset > MAX_OFFSET)
      throw refusedOffset(
        offset,
        `0 to ${MAX_OFFSET}; go on with after, the cursor of an earlier page, beyond it`,
      );
    const listed = jobWindowOf({ first: limit }, order);
    if (offset === 0) return await pageOfJobs(reads, actor, filter, listed);
    const conditions = await ownConditions(reads, actor, filter, listed);
    const most = offset + WALK_BUDGET;
    const skipped = await walkJobs<WalkPlace>(reads, conditions, { take: offset, most, columns: 'j.id' });
    const last = skipped.rows.at(-1);
    if (skipped.rows.length === offset && last !== undefined) {
      return await pageOfJobs(reads, actor, filter, behindJob(listed, order, last));
    }
    if (skipped.stoppedAt === null) return pageWithCursors(listed.window, [], null, listed.cursorAt);
    throw refusedOffset(offset, 'after, the cursor of an earlier page: the filter matches few of many jobs');
  },
);

async function pageOfJobs(
  reads: ReadTransaction,
  actor: Caller,
  filter: JobFilter,
  listed: JobWindow,
): Promise<ListedPage<JobRow>> {
  const conditions = await ownConditions(reads, actor, filter, listed);
  const found = await walkJobs<JobRow & WalkPlace>(reads, conditions, {
    take: listed.window.take,
    columns: JOB_COLUMNS,
  });
  return pageWithCursors<JobRow & WalkPlace, WalkPlace>(
    listed.window,
    found.rows,
    found.stoppedAt,
    listed.cursorAt,
  );
}

/** The filter's conditions in an order, and that of an access token: its own jobs. */
async function ownConditions(
  reads: ReadTransaction,
  actor: Caller,
  filter: JobFilter,
  { window, conditions }: JobWindow,
): Promise<JobConditions> {
  const asked = { ...(await conditionsOf(reads, actor.tenantId, filter, window)), ...conditions };
  const mine = reachedCreator(actor.reach);
  return mine === null ? asked : { ...asked, creators: [...(asked.creators ?? []), mine] };
}

function refusedOffset(offset: number, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `offset is ${offset}; allowed: ${allowed}.`, {
    field: 'offset',
    allowed,
  });
}
