import type { JobSource, JobStatus, Subject } from '../core/job.ts';
import type { FeedEntityRow } from '../db/feed-rows.ts';
import type { FeedJobRow } from '../db/sql/feed/find-initial-jobs.ts';
import type { TailRow } from '../db/sql/feed/read-tail.ts';
import type { ResyncReason } from './resume.ts';

/** That a job's row or its progress changed. What it looks like now is read by the code that shows it. */
export interface JobChange {
  readonly kind: 'job';
  readonly jobId: string;
  readonly tenantId: string;
  readonly definitionId: string;
  readonly status: JobStatus;
  /** The row's; a change of progress alone leaves it as it was. */
  readonly version: bigint;
  readonly subject: Subject | null;
  readonly correlationId: string | null;
  readonly createdBy: string | null;
  /** Set where it has any. */
  readonly tags?: readonly string[];
  /** What asked for it. */
  readonly source?: JobSource;
  /** Runs that ended in an error, a timeout or a lost lease; set where there are any. */
  readonly attemptCount?: number;
  /** When it ended, in ms since 1970; set where it has. */
  readonly finishedMs?: number;
  /** The error of its last run, where that failed. */
  readonly error?: { readonly type: string | null; readonly message: string | null };
  /** The transaction that made the change. */
  readonly xid: bigint;
  /** Set where only the progress changed; a change of the row itself comes by itself. */
  readonly isProgressOnly?: true;
}

/** That a job was deleted. */
export interface JobRemoval
  extends Omit<
    JobChange,
    | 'kind'
    | 'status'
    | 'version'
    | 'tags'
    | 'source'
    | 'attemptCount'
    | 'finishedMs'
    | 'error'
    | 'isProgressOnly'
  > {
  readonly kind: 'removed';
}

/**
 * That an entity of a domain changed: a video, a clip. A client that shows it reads what it looks like now.
 */
export interface EntityChange {
  readonly kind: 'entity';
  /** As the domain's feed table calls it: `video`. */
  readonly entity: string;
  readonly id: string;
  /** The id of what it belongs to. */
  readonly parentId: string | null;
  readonly tenantId: string;
  /** As the row has it. */
  readonly status: string;
  readonly version: bigint;
  readonly createdBy: string | null;
  readonly xid: bigint;
}

/** That an entity was deleted. */
export interface EntityRemoval extends Omit<EntityChange, 'kind' | 'status' | 'version'> {
  readonly kind: 'entityRemoved';
}

export type EntityTrace = EntityChange | EntityRemoval;
export type Change = JobChange | JobRemoval | EntityTrace;

/** True for a change of a job, or its end: not of what jobs are about. */
export function isOfJob(change: Change): change is JobChange | JobRemoval {
  return change.kind === 'job' || change.kind === 'removed';
}

/**
 * What a subscription yields. A cursor promises that everything its snapshot shows has been delivered, so
 * within a batch all events but the last carry the one before (and, while catching up, how much of the batch
 * has come).
 */
export type FeedEvent =
  | { readonly kind: 'job'; readonly change: JobChange; readonly cursor: string }
  /**
   * The job no longer has what the filter names: a status, a tag, an error, failed runs, a time of its end.
   */
  | { readonly kind: 'jobLeft'; readonly jobId: string; readonly cursor: string }
  /** The job was deleted. */
  | { readonly kind: 'jobRemoved'; readonly jobId: string; readonly cursor: string }
  | FeedMark;

/** What every list yields beside what is in it. */
export type FeedMark =
  /** The initial state ends here. `complete`: it was not cut off at `initialLimit`. */
  | { readonly kind: 'ready'; readonly complete: boolean; readonly cursor: string }
  /**
   * Nothing happened, but a later cursor is available. The first after a resume: all that was missed has
   * come.
   */
  | { readonly kind: 'checkpoint'; readonly cursor: string }
  /**
   * The given cursor, or the one the stream had reached, is of no use any more: forget everything, a fresh
   * state follows.
   */
  | { readonly kind: 'resync'; readonly reason: ResyncReason; readonly cursor: null };

/** The change that a row says. */
export function toChange(kind: Exclude<TailRow['kind'], 'server'>, row: FeedJobRow): Change {
  if (kind === 'entity' || kind === 'entityRemoved')
    return toEntityTrace(row.subject_type ?? '', kind === 'entityRemoved', row);
  const xid = BigInt(row.xid);
  const fields = {
    jobId: row.id,
    tenantId: row.tenant_id,
    definitionId: row.definition_id,
    subject:
      row.subject_type === null || row.subject_id === null
        ? null
        : { type: row.subject_type, id: row.subject_id },
    correlationId: row.correlation_id,
    createdBy: row.created_by,
    xid,
  };
  if (kind === 'removed') return { kind, ...fields };
  const change = {
    kind: 'job',
    ...fields,
    status: row.status as JobStatus,
    ...(row.tags !== null && { tags: row.tags }),
    ...(row.source !== null && { source: row.source }),
    ...(row.attempt_count !== null && row.attempt_count > 0 && { attemptCount: row.attempt_count }),
    ...(row.finished_ms !== null && { finishedMs: row.finished_ms }),
    ...((row.error_type ?? row.error_message) !== null && {
      error: { type: row.error_type, message: row.error_message },
    }),
    version: BigInt(row.version),
  } as const;
  return kind === 'progress' ? { ...change, isProgressOnly: true } : change;
}

/** The change that a row of an entity says. */
export function toEntityTrace(
  entity: string,
  isDeleted: boolean,
  row: Omit<FeedEntityRow, 'status' | 'version'> & {
    readonly status: string | null;
    readonly version: string | null;
  },
): EntityTrace {
  const fields = {
    entity,
    id: row.id,
    parentId: row.subject_id,
    tenantId: row.tenant_id,
    createdBy: row.created_by,
    xid: BigInt(row.xid),
  };
  if (isDeleted) return { kind: 'entityRemoved', ...fields };
  return { kind: 'entity', ...fields, status: row.status ?? '', version: BigInt(row.version ?? 0) };
}
