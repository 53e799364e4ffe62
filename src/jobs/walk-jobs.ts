import { ENDED_BADLY, type JobConditions, type WalkSource } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type AffordableRow, countAffordablePayloads } from '../db/sql/read/count-affordable-payloads.ts';
import { countGatheredJobs, type GatheredCountRow } from '../db/sql/read/count-gathered-jobs.ts';
import { type BoundStatement, findListedJobs, type ListedJobRow } from '../db/sql/read/find-listed-jobs.ts';
import { findWalkEnd } from '../db/sql/read/find-walk-end.ts';
import { timeMicros } from '../db/time-order.ts';

/**
 * Jobs that one page looks at, where no index has just what is asked for: some 30 ms, and more than any
 * filter but a rare one needs.
 */
export const WALK_BUDGET = 5_000;
/**
 * Bytes of payloads, as they are stored, that one page reads: most are compressed to a part of what they are.
 */
const PAYLOAD_BYTES = 8_000_000;
/** Failed, dead and canceled jobs are spread over the table: each is read from another page. */
const ENDED_SHARE = 0.4;
/**
 * Index entries that are gathered and sorted, where an index has what is asked for, but in another order: not
 * worth another way.
 */
const GATHERED_FEW = 1_000;
/** The same where there is no better way. */
const GATHERED_AT_MOST = 100_000;
/** Definitions by their priorities: each takes two looks at an index. */
const MOST_LANES = 1_000;
/**
 * Jobs of the list that are looked at beside those that a page shows, before more than a few are gathered.
 */
const TRIED = 1_000;

/** What a walk over a tenant's jobs found. */
export interface Walk<Row> {
  /** In the order that was asked for. */
  readonly rows: readonly Row[];
  /**
   * The last job that was looked at, where the budget was used up before `take` were found; null: there are
   * no more.
   */
  readonly stoppedAt: WalkPlace | null;
}

/** Where a job stands; its time only in an order by that. */
export interface WalkPlace {
  readonly id: string;
  readonly timeMicros?: string;
}

export interface WalkOptions {
  readonly take: number;
  /** Jobs that are looked at. */
  readonly most?: number;
  /** Columns of the job's row, named `j`. */
  readonly columns: string;
}

/**
 * Finds the first `take` of a tenant's jobs that meet the conditions. It looks at a limited number of jobs of
 * the source that fits best: a rare filter on a long history gives a short answer, which says where to go on.
 */
export async function walkJobs<Row extends ListedJobRow>(
  reads: ReadTransaction,
  conditions: JobConditions,
  { take, most = WALK_BUDGET, columns }: WalkOptions,
): Promise<Walk<Row>> {
  const read = <R>({ statement, values }: BoundStatement): Promise<R[]> => reads.query<R>(statement, values);
  const hasAtMost: HasAtMost = async (source, count) => {
    const [row] = await read<GatheredCountRow>(countGatheredJobs(source, conditions, count + 1));
    return (row?.count ?? 0) <= count;
  };
  const { order = 'created' } = conditions;
  const shown = order === 'created' ? columns : `${columns}, ${timeMicros('j', order)}`;
  const walk = (source: WalkSource, budget: number): Promise<Row[]> =>
    read<Row>(findListedJobs(source, conditions, { take, budget, columns: shown }));
  const best = await bestSource(conditions, hasAtMost);
  const isMany =
    best === 'merged' || (best === 'due' && order === 'created' && !(await hasAtMost('due', GATHERED_FEW)));
  if ((isMany || best === 'lanes') && conditions.payload == null) {
    // Ready jobs are mostly a tenant's newest, or all that follows a cursor: the list has them in order. The
    // first of the lanes mostly meet all conditions.
    const rows = isMany ? await walk('list', take + TRIED) : await walk('lanes', take);
    if (rows.length === take) return { rows, stoppedAt: null };
  }
  const source = !isMany || (await hasAtMost(best, GATHERED_AT_MOST)) ? best : 'list';
  const looked = source === 'ended' ? Math.max(take, Math.ceil(most * ENDED_SHARE)) : most;
  const budget = conditions.payload == null ? looked : await affordable(read, source, conditions, looked);
  const rows = await walk(source, budget);
  if (rows.length === take) return { rows, stoppedAt: null };
  const [end] = await read<WalkPlace>(findWalkEnd(source, conditions, budget));
  return { rows, stoppedAt: end ?? null };
}

/** Jobs whose payloads a page may read, of those that it would look at. */
async function affordable(
  read: <R>(bound: BoundStatement) => Promise<R[]>,
  source: WalkSource,
  conditions: JobConditions,
  budget: number,
): Promise<number> {
  const limits = { budget, bytes: PAYLOAD_BYTES };
  const [row] = await read<AffordableRow>(countAffordablePayloads(source, conditions, limits));
  const { count, total } = row ?? { count: 0, total: 0 };
  return count === total ? budget : Math.max(1, count);
}

type HasAtMost = (source: WalkSource, count: number) => Promise<boolean>;

/** @returns `merged` where too many are queued or running to sort them without need */
async function bestSource(conditions: JobConditions, hasAtMost: HasAtMost): Promise<WalkSource> {
  if (conditions.order === 'finished') return sourceByEnd(conditions, hasAtMost);
  if (conditions.order === 'scheduled') return sourceByDue(conditions, hasAtMost);
  const { ids, subject, correlationId, statuses, finishedAfter, finishedBefore, due } = conditions;
  if (ids != null) return 'ids';
  if (subject != null) return 'subject';
  if (correlationId != null) return 'correlation';
  if (due === true) return 'due';
  const isFinishedAsked = finishedAfter != null || finishedBefore != null;
  const isRare = statuses != null && statuses.length > 0 && !statuses.includes('succeeded');
  const areEnded = isRare && statuses.every((status) => ENDED_BADLY.includes(status));
  if (isFinishedAsked)
    for (const [source, most] of areEnded ? FINISHED_BADLY : FINISHED)
      if (await hasAtMost(source, most)) return source;
  if (areEnded) return 'ended';
  if (!isRare) return 'list';
  return (await hasAtMost('active', GATHERED_FEW)) ? 'active' : 'merged';
}

/** Sources with what may be gathered of each, the best first. */
const FINISHED_BADLY = [['finished', WALK_BUDGET]] as const;
const FINISHED = [
  ['finished', GATHERED_FEW],
  ['near', WALK_BUDGET],
  ['finished', GATHERED_AT_MOST],
] as const;

/**
 * In the order of ends: what is named, or ended badly, is gathered and sorted where that is no more than a
 * page looks at.
 */
async function sourceByEnd(
  { ids, subject, correlationId, statuses }: JobConditions,
  hasAtMost: HasAtMost,
): Promise<WalkSource> {
  if (ids != null) return 'ids';
  const areEnded = statuses?.every((status) => ENDED_BADLY.includes(status)) === true;
  const gathered: readonly (readonly [WalkSource, boolean])[] = [
    ['subject', subject != null],
    ['correlation', correlationId != null],
    ['ended', areEnded],
  ];
  for (const [source, isAsked] of gathered) {
    if (isAsked && (await hasAtMost(source, WALK_BUDGET))) return source;
  }
  return 'finishes';
}

/**
 * In the order of due times: what is named is gathered and sorted where that is no more than a page looks at;
 * of all others the lanes have it in order, where there are not too many of them.
 */
async function sourceByDue(
  { ids, subject, correlationId }: JobConditions,
  hasAtMost: HasAtMost,
): Promise<WalkSource> {
  if (ids != null) return 'ids';
  if (subject != null && (await hasAtMost('subject', WALK_BUDGET))) return 'subject';
  if (correlationId != null && (await hasAtMost('correlation', WALK_BUDGET))) return 'correlation';
  return (await hasAtMost('lanes', MOST_LANES)) ? 'lanes' : 'due';
}
