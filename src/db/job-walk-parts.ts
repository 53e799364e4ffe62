import type { JobSource, JobStatus } from '../core/job.ts';
import { uuidAtTime } from '../core/uuid-time.ts';
import type { Parameters } from './parameters.ts';
import type { JobOrderField, TimeBound } from './time-order.ts';

/** Which jobs of one tenant, in the order of their ids. What is absent or null restricts nothing. */
export interface JobConditions {
  readonly tenantId: string;
  readonly direction: 'asc' | 'desc';
  /** Bounds of the ids, all of them. */
  readonly idBounds: readonly IdBound[];
  readonly ids?: readonly string[] | null;
  readonly statuses?: readonly JobStatus[] | null;
  /** True: those that are due (`DUE_SQL`); false: all others. */
  readonly due?: boolean | null;
  /** Leaves out running jobs that were asked to stop. */
  readonly withoutAsked?: boolean;
  readonly definitionIds?: readonly string[] | null;
  readonly subject?: { readonly type: string; readonly id: string } | null;
  readonly correlationId?: string | null;
  readonly tags?: readonly string[] | null;
  /** All of them: what the filter asks for, and what the caller may see. */
  readonly creators?: readonly string[];
  readonly finishedAfter?: Date | null;
  readonly finishedBefore?: Date | null;
  readonly errorTypes?: readonly string[] | null;
  readonly sources?: readonly JobSource[] | null;
  /** Runs that ended in an error, a timeout or a lost lease: at least this many. */
  readonly minAttemptCount?: number | null;
  readonly payload?: PayloadCondition | null;
  /** Part of what `jobSearchText` puts together, in whatever case. */
  readonly text?: string | null;
  /** That of the ids by default. */
  readonly order?: JobOrderField;
  /** Bounds in an order by a time, all of them. */
  readonly places?: readonly TimeBound[];
}

/** What a payload contains. */
export interface PayloadCondition {
  /** An object as JSON. */
  readonly json: string;
  /** Definitions whose jobs are not looked at: one of the fields is a secret of theirs. */
  readonly withoutDefinitions: readonly string[];
}

export interface IdBound {
  readonly operator: '<' | '<=' | '>' | '>=';
  readonly id: string;
}

/**
 * Where a walk over a tenant's jobs takes them from:
 * - `ids`: those that are named (jobs_pkey)
 * - `subject`, `correlation`: jobs_subject_idx, jobs_correlation_idx
 * - `ended`: failed, dead_letter and canceled ones (jobs_ended_idx), merged
 * - `active`: queued and running ones (jobs_ready_idx, jobs_waiting_idx, jobs_running_idx), beside `ended`
 *   ones; gathered, then sorted
 * - `merged`: the same, of which those that are delayed (jobs_later_idx), wait for others (jobs_waiting_idx)
 *   or have ended are read in order; only ready and running ones are gathered
 * - `finished`: those that ended in a stretch of time (jobs_finished_idx); gathered, then sorted
 * - `near`: the same: of the list (tenant_jobs_pkey) those made in that stretch or up to an hour before, and
 *   what ended later after it was made than that (jobs_apart_idx), which is gathered
 * - `due`: those that are due (jobs_ready_idx); gathered, then sorted
 * - `list`: all of the tenant's (tenant_jobs_pkey)
 * - `finishes`: all that have ended (jobs_finished_idx), in the order of their ends; in that order only
 * - `lanes`: those of `due` in the order of their times, the first of each definition and priority
 *   (jobs_ready_idx); in that order only
 *
 * In an order by a time `ids`, `subject`, `correlation` and `ended` are gathered, then sorted.
 */
export const WALK_SOURCES = [
  'ids',
  'subject',
  'correlation',
  'ended',
  'active',
  'merged',
  'finished',
  'near',
  'due',
  'list',
  'finishes',
  'lanes',
] as const;
export type WalkSource = (typeof WALK_SOURCES)[number];
/** The sources of which some or all jobs are gathered. */
export type GatheredSource = Extract<WalkSource, 'active' | 'merged' | 'finished' | 'near' | 'due'>;
export const GATHERED_SOURCES: readonly WalkSource[] = [
  'active',
  'merged',
  'finished',
  'near',
  'due',
] satisfies GatheredSource[];

/** Statuses that few jobs end in; jobs_ended_idx has only those. */
export const ENDED_BADLY: readonly JobStatus[] = ['failed', 'dead_letter', 'canceled'];
export const ENDED_BADLY_SQL = `j.status in ('failed', 'dead_letter', 'canceled')`;

/** Most jobs end within this time after they were made. As jobs_apart_idx has it. */
const NEAR_MS = 3_600_000;
/** A job that ended later, or whose id says nothing of when it was made; jobs_apart_idx has only those. */
const APART_SQL = `(uuid_extract_version(j.id) = 7
  and j.finished_at - uuid_extract_timestamp(j.id) >= interval '0' and j.finished_at - uuid_extract_timestamp(j.id) < interval '1 hour') is not true`;

/** A SELECT of the ids of a source in their order, `limit` of them at most. */
export function sourceOf(
  source: Exclude<WalkSource, 'finishes' | 'lanes'>,
  conditions: JobConditions,
  parameters: Parameters,
  limit: string,
): string {
  const { direction, statuses } = conditions;
  const inOrder = (from: string): string => `${from} order by id ${direction} limit ${limit}`;
  switch (source) {
    case 'list': {
      const bounds = boundsOf('l.job_id', conditions, parameters);
      const tenant = parameters.add(conditions.tenantId, 'uuid');
      return `select l.job_id as id from millrace.tenant_jobs l where l.tenant_id = ${tenant}${bounds}
        order by l.job_id ${direction} limit ${limit}`;
    }
    case 'ids':
    case 'subject':
    case 'correlation':
      return inOrder(`${ofTenant(conditions, parameters)}${namedIn(source, conditions, parameters)}`);
    case 'ended':
      return inOrder(
        `select e.id from (${endedOf(statuses ?? ENDED_BADLY, conditions, parameters, limit)}) e`,
      );
    case 'merged':
      return inOrder(`select m.id from (${activeParts(conditions, parameters, { limit }).join(UNION)}) m`);
    case 'near': {
      const apart = gatheredFrom('near', conditions, parameters);
      const near = sourceOf('list', madeNear(conditions), parameters, limit);
      return inOrder(`select n.id from ((${inOrder(`select a.id from (${apart}) a`)})\nunion\n(${near})) n`);
    }
    case 'active':
    case 'finished':
    case 'due':
      return inOrder(`select g.id from (${gatheredFrom(source, conditions, parameters, limit)}) g`);
  }
}

const UNION = '\nunion all ';

/** With bounds of the ids: made in the stretch of time or up to an hour before. */
function madeNear(conditions: JobConditions): JobConditions {
  const { finishedAfter, finishedBefore, idBounds } = conditions;
  const bounds: IdBound[] = [...idBounds];
  if (finishedAfter != null)
    bounds.push({ operator: '>=', id: uuidAtTime(new Date(finishedAfter.getTime() - NEAR_MS)) });
  if (finishedBefore != null) bounds.push({ operator: '<', id: uuidAtTime(finishedBefore) });
  return { ...conditions, idBounds: bounds };
}

/**
 * A SELECT of the ids of a source that no index has in their order; of `merged` and `near` those that are
 * gathered. Each OFFSET 0 keeps the order that is asked for outside: for a small limit the planner would read
 * all tenants' jobs by jobs_pkey until it has met enough of this one's.
 */
export function gatheredFrom(
  source: GatheredSource,
  conditions: JobConditions,
  parameters: Parameters,
  endedLimit?: string,
): string {
  if (source === 'finished' || source === 'near') {
    const apart = source === 'near' ? ` and ${APART_SQL}` : '';
    return `${ofTenant(conditions, parameters)}${finishedIn(conditions, parameters)}${apart} offset 0`;
  }
  if (source === 'due') return `${dueOf(conditions, parameters)} offset 0`;
  if (source === 'merged') return activeParts(conditions, parameters, 'gathered').join(UNION);
  const parts = activeParts(conditions, parameters, 'all');
  const ended = (conditions.statuses ?? []).filter((status) => ENDED_BADLY.includes(status));
  // Those are in order already, and need no counting.
  if (endedLimit !== undefined && ended.length > 0)
    parts.push(`(${endedOf(ended, conditions, parameters, endedLimit)})`);
  return parts.join(UNION);
}

const READY = `j.status = 'queued' and j.pending_dependencies = 0`;
/**
 * A job that waits for no other, and whose time has come: what still holds it is a limit, a pause or no
 * worker.
 */
export const DUE_SQL = `${READY} and j.scheduled_for <= now()`;
const WAITING = `j.status = 'queued' and j.pending_dependencies > 0`;

/**
 * SELECTs of the ids of queued and running jobs, of what is asked for.
 * @param which `all`, in no order; `gathered`: those that no index has in the order of ids; with a limit all
 *   in that order, and what has ended badly
 */
function activeParts(
  conditions: JobConditions,
  parameters: Parameters,
  which: 'all' | 'gathered' | { readonly limit: string },
): string[] {
  const { statuses, direction, due } = conditions;
  // What is not due, and not delayed either, is so within the minute: jobs_ready_idx skips to it.
  const ready = due === false ? `${READY} and j.scheduled_for > now()` : READY;
  const asked = statuses ?? [];
  const [isQueued, isRunning] = [asked.includes('queued'), asked.includes('running')];
  const select = (chosen: string): string =>
    `${ofTenant(conditions, parameters)} and ${chosen}${ofDefinitions(conditions, parameters)}`;
  const unordered = [
    ...(isQueued ? (which === 'all' ? [ready, WAITING] : [`${ready} and not j.is_delayed`]) : []),
    ...(isRunning ? [`j.status = 'running'`] : []),
  ].map((chosen) => `(${select(chosen)} offset 0)`);
  if (which === 'all' || which === 'gathered') return unordered;
  const { limit } = which;
  const ended = asked.filter((status) => ENDED_BADLY.includes(status));
  return [
    ...unordered.map((part) => `(select g.id from ${part} g order by g.id ${direction} limit ${limit})`),
    ...(isQueued
      ? [`${READY} and j.is_delayed`, WAITING].map(
          (chosen) => `(${select(chosen)} order by j.id ${direction} limit ${limit})`,
        )
      : []),
    ...(ended.length > 0 ? [endedOf(ended, conditions, parameters, limit)] : []),
  ];
}

/** @param columns what is selected of the row `j` */
export function dueOf(conditions: JobConditions, parameters: Parameters, columns = 'j.id'): string {
  // Asked for both, so that jobs_ready_idx is the index that has them: it skips what is for later.
  const both = 'j.is_delayed = any (array[false, true])';
  return `${ofTenant(conditions, parameters, columns)} and ${both} and ${DUE_SQL}${ofDefinitions(conditions, parameters)}`;
}

/** With ` and ` before it, or empty. */
export function ofDefinitions({ definitionIds }: JobConditions, parameters: Parameters): string {
  return definitionIds == null
    ? ''
    : ` and j.definition_id = any (${parameters.add(definitionIds, 'uuid[]')})`;
}

/** The condition of the index of what is named, with ` and ` before it. */
export function namedIn(
  source: 'ids' | 'subject' | 'correlation',
  { ids, subject, correlationId }: JobConditions,
  parameters: Parameters,
): string {
  if (source === 'ids') return ` and j.id = any (${parameters.add(ids, 'uuid[]')})`;
  if (source === 'correlation') return ` and j.correlation_id = ${parameters.add(correlationId, 'text')}`;
  const { type = null, id = null } = subject ?? {};
  return ` and j.subject_type = ${parameters.add(type, 'text')} and j.subject_id = ${parameters.add(id, 'text')}`;
}

function endedOf(
  statuses: readonly JobStatus[],
  conditions: JobConditions,
  parameters: Parameters,
  limit: string,
): string {
  return statuses
    .map(
      (status) =>
        `(${ofTenant(conditions, parameters)} and ${ENDED_BADLY_SQL} and j.status = ${parameters.add(status, 'text')}
          order by j.id ${conditions.direction} limit ${limit})`,
    )
    .join('\nunion all ');
}

/** @param columns what is selected of the row `j` */
export function ofTenant(conditions: JobConditions, parameters: Parameters, columns = 'j.id'): string {
  const tenant = parameters.add(conditions.tenantId, 'uuid');
  return `select ${columns} from millrace.jobs j where j.tenant_id = ${tenant}${boundsOf('j.id', conditions, parameters)}`;
}

/** Bounds of the ids, each with ` and ` before it. */
export function boundsOf(column: string, { idBounds }: JobConditions, parameters: Parameters): string {
  return idBounds
    .map(({ operator, id }) => ` and ${column} ${operator} ${parameters.add(id, 'uuid')}`)
    .join('');
}

export function finishedIn({ finishedAfter, finishedBefore }: JobConditions, parameters: Parameters): string {
  return [
    ' and j.finished_at is not null',
    finishedAfter == null ? '' : ` and j.finished_at >= ${parameters.add(finishedAfter, 'timestamptz')}`,
    finishedBefore == null ? '' : ` and j.finished_at < ${parameters.add(finishedBefore, 'timestamptz')}`,
  ].join('');
}
