import type { Database, Transaction } from '../db/database.ts';
import { changedEntities, hasParents, initialEntities, type ListedTable } from '../db/entity-list-sql.ts';
import type { ChangedEntityRow, FeedEntityRow } from '../db/feed-rows.ts';
import type { Statement } from '../db/statement.ts';
import {
  type Change,
  type EntityChange,
  type EntityTrace,
  type FeedMark,
  isOfJob,
  toEntityTrace,
} from './change.ts';
import { type CheckedEntityFilter, checkEntityFilter, type EntityFilter } from './entity-filter.ts';
import type { ListKind } from './list-kind.ts';
import { inSnapshot, type MissedRange, readMissed } from './missed.ts';

/** What a domain says of a list of its entities. */
export interface EntityListSpec<Status extends string> {
  /** `videos`; a cursor is of one list. */
  readonly name: string;
  /** What the feed's tables call them: `video`. Jobs about such a subject count as changes of it. */
  readonly entity: string;
  /** What a filter may name. */
  readonly statuses: readonly Status[];
  /** How rows have a status, where they have another one than is shown. */
  readonly storedStatus?: (status: Status) => string;
  readonly table: ListedTable;
}

/** What a list yields: what is in it, what left the statuses that were asked for, what was deleted. */
export type EntityFeedEvent =
  | { readonly kind: 'in'; readonly change: EntityChange; readonly cursor: string }
  | { readonly kind: 'left' | 'removed'; readonly id: string; readonly cursor: string }
  | FeedMark;

/** A list that can be followed. */
export interface EntityList<Status extends string> {
  readonly spec: EntityListSpec<Status>;
  /** `find_initial_videos` and `find_changed_videos`. */
  readonly statements: { readonly initial: Statement; readonly changed: Statement };
  /**
   * Checks a filter and fills in its defaults.
   * @param parent what they belong to, with the name of its field
   * @throws DomainError `InvalidArgument` naming the field
   */
  check(
    filter: EntityFilter<Status>,
    parent?: { readonly parentId: string; readonly field: string } | null,
  ): CheckedEntityFilter;
  /** What a filter selects, for a feed's `subscribeList`. */
  of(filter: CheckedEntityFilter): (database: Database) => ListKind<EntityTrace, EntityFeedEvent>;
}

/** Declares a list of entities that clients can follow, with the statements that read it. */
export function defineEntityList<Status extends string>(spec: EntityListSpec<Status>): EntityList<Status> {
  const { name, storedStatus, statuses } = spec;
  const statements = {
    initial: initialEntities(`find_initial_${name}`, spec.table),
    changed: changedEntities(`find_changed_${name}`, spec.table),
  };
  return {
    spec,
    statements,
    check: (filter, parent = null) => {
      const checked = checkEntityFilter(filter, statuses, parent);
      if (storedStatus === undefined || checked.statuses === null) return checked;
      const stored = (checked.statuses as readonly Status[]).map(storedStatus);
      return { ...checked, statuses: [...new Set(stored)] };
    },
    of: (filter) => (database) => listKind(spec, statements, filter, database),
  };
}

function listKind<Status extends string>(
  { name, entity, table }: EntityListSpec<Status>,
  statements: EntityList<Status>['statements'],
  filter: CheckedEntityFilter,
  database: Database,
): ListKind<EntityTrace, EntityFeedEvent> {
  const { tenantId, statuses, createdBy, parentId, initialLimit } = filter;
  const parent = hasParents(table) ? [parentId] : [];
  return {
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
        ? { kind: verdict, change: trace as EntityChange, cursor }
        : { kind: verdict, id: trace.id, cursor },
    initial: () =>
      inSnapshot(database, tenantId, async (tx, position) => {
        const values = [tenantId, initialLimit + 1, statuses, createdBy, ...parent];
        const { rows } = await tx.query<FeedEntityRow>(statements.initial, values);
        const found = rows.slice(0, initialLimit).map((row) => toEntityTrace(entity, false, row));
        return { position, found, complete: rows.length <= initialLimit };
      }),
    missed: (since, start, pageSize) =>
      readMissed(
        database,
        { tenantId, since, start, pageSize },
        async (tx: Transaction, { parameters, maxTotal }: MissedRange) => {
          const values = [tenantId, ...parameters, createdBy, maxTotal, ...parent];
          return (await tx.query<ChangedEntityRow>(statements.changed, values)).rows;
        },
        (row) => toEntityTrace(entity, row.is_deleted, row),
      ),
  };
}

function workOn(change: Change, type: string, tenantId: string): string | null {
  if (!isOfJob(change) || change.tenantId !== tenantId || change.subject?.type !== type) return null;
  return change.subject.id.toLowerCase();
}
