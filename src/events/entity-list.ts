import type { Database, Transaction } from '../db/database.ts';
import type { ChangedEntityRow, FeedEntityRow } from '../db/feed-rows.ts';
import { type Change, type EntityChange, type EntityTrace, isOfJob, toEntityTrace } from './change.ts';
import type { CheckedEntityFilter } from './entity-filter.ts';
import type { ListKind, Verdict } from './list-kind.ts';
import { inSnapshot, type MissedRange, readMissed } from './missed.ts';

/** What lists of a domain's entities have of their own. */
export interface EntityListSpec<Event> {
  /** `videos`; a cursor is of one list. */
  readonly name: string;
  /** What the feed's tables call them: `video`. Jobs about such a subject count as changes of it. */
  readonly entity: string;
  event(verdict: 'in', trace: EntityChange, cursor: string): Event;
  event(verdict: Exclude<Verdict, 'in'>, trace: EntityTrace, cursor: string): Event;
  /** Newest first, `limit` rows. */
  findInitial(tx: Transaction, filter: CheckedEntityFilter, limit: number): Promise<readonly FeedEntityRow[]>;
  /** What happened in a range; see `MissedRange`. */
  findMissed(
    tx: Transaction,
    filter: CheckedEntityFilter,
    range: MissedRange,
  ): Promise<readonly ChangedEntityRow[]>;
}

/** The list that a filter selects, for a feed's `subscribeList`. */
export function entityList<Event>(
  spec: EntityListSpec<Event>,
  filter: CheckedEntityFilter,
): (database: Database) => ListKind<EntityTrace, Event> {
  const { tenantId, statuses, createdBy, parentId, initialLimit } = filter;
  const { name, entity } = spec;
  return (database) => ({
    name,
    tenantId,
    jobIds: null,
    followsWork: true,
    isIn: statuses === null ? null : (trace) => 'status' in trace && statuses.includes(trace.status),
    idOf: ({ id }) => id,
    isDeletion: ({ kind }) => kind === 'entityRemoved',
    // Their initial state has no window: a complete one has all there are.
    knownSinceMs: () => Number.NEGATIVE_INFINITY,
    traceOf: (change) => {
      if (isOfJob(change) || change.entity !== entity || change.tenantId !== tenantId) return null;
      const isOfParent = parentId === null || change.parentId === parentId;
      return isOfParent && (createdBy === null || change.createdBy === createdBy) ? change : null;
    },
    workedOn: (change) => workOn(change, entity, tenantId),
    event: (verdict, trace, cursor) =>
      verdict === 'in'
        ? spec.event(verdict, trace as EntityChange, cursor)
        : spec.event(verdict, trace, cursor),
    initial: () =>
      inSnapshot(database, tenantId, async (tx, position) => {
        const rows = await spec.findInitial(tx, filter, initialLimit + 1);
        const found = rows.slice(0, initialLimit).map((row) => toEntityTrace(entity, false, row));
        return { position, found, complete: rows.length <= initialLimit };
      }),
    missed: (since, start, pageSize) =>
      readMissed(
        database,
        { tenantId, since, start, pageSize },
        (tx, range) => spec.findMissed(tx, filter, range),
        (row) => toEntityTrace(entity, row.is_deleted, row),
      ),
  });
}

function workOn(change: Change, type: string, tenantId: string): string | null {
  if (!isOfJob(change) || change.tenantId !== tenantId || change.subject?.type !== type) return null;
  return change.subject.id.toLowerCase();
}
