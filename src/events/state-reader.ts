import type { Database, Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { type ChangedJobRow, findChangedJobs } from '../db/sql/feed/find-changed-jobs.ts';
import { type FeedJobRow, findInitialJobs } from '../db/sql/feed/find-initial-jobs.ts';
import { limitStatementTime } from '../db/sql/feed/limit-statement-time.ts';
import { readServerState, type ServerStateRow } from '../db/sql/feed/read-server-state.ts';
import { type JobChange, type JobRemoval, toChange } from './change.ts';
import type { CheckedFilter } from './filter.ts';
import type { PageStart, Position } from './position.ts';
import { planResume, type ResyncReason } from './resume.ts';
import { toPosition } from './tail-reader.ts';

/** The state that a fresh subscription starts from. */
export interface InitialState {
  readonly position: Position;
  /** Newest first. */
  readonly jobs: readonly JobChange[];
  /** False when the filter's limit cut it off. */
  readonly complete: boolean;
}

export type Missed =
  | { readonly kind: 'resync'; readonly reason: ResyncReason }
  | {
      readonly kind: 'page';
      readonly changes: readonly (JobChange | JobRemoval)[];
      readonly upTo: Position;
      /** Null after the last page: everything up to `upTo` has been read. */
      readonly next: PageStart | null;
    };

/** More missed changes than this are not caught up with; reading the state afresh is cheaper. */
const MAX_MISSED = 50_000;
/** Nor is a range through which the search takes longer: a quiet filter on a busy server, and a cursor of yesterday. */
const MISSED_TIMEOUT_MS = 5_000;
const QUERY_CANCELED = '57014';

/**
 * Reads one tenant's state for a subscriber, under that tenant's row security. Each call is one short REPEATABLE READ
 * transaction on the primary, so that rows and position agree.
 */
export class StateReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async initial(filter: CheckedFilter): Promise<InitialState> {
    return this.#inSnapshot(filter.tenantId, async (tx, position) => {
      const { rows } = await tx.query<FeedJobRow>(findInitialJobs, [
        filter.tenantId,
        filter.sinceSeconds,
        filter.initialLimit + 1,
        filter.ids,
        filter.definitionIds,
        filter.statuses,
        filter.subject?.type ?? null,
        filter.subject?.id ?? null,
        filter.correlationId,
        filter.createdBy,
        filter.tags,
      ]);
      const jobs = rows.slice(0, filter.initialLimit).map((row) => toChange('job', row) as JobChange);
      return { position, jobs, complete: rows.length <= filter.initialLimit };
    });
  }

  /**
   * What was missed since `since`, a page of at most `pageSize`. If the server was restarted since the page's start was
   * given out, the reading begins anew.
   */
  async missed(
    filter: CheckedFilter,
    since: Position,
    start: PageStart | null,
    pageSize: number,
  ): Promise<Missed> {
    try {
      return await this.#inSnapshot(filter.tenantId, async (tx, now) => {
        const plan = planResume(since, now);
        if (plan.kind === 'resync') return plan;
        const from = plan.position.snapshot;
        const page = start?.upTo.server.life === now.server.life ? start : null;
        await tx.query(limitStatementTime, [MISSED_TIMEOUT_MS]);
        const { rows } = await tx.query<ChangedJobRow>(findChangedJobs, [
          filter.tenantId,
          String(from.xmax),
          from.xip.map(String),
          page === null ? null : String(page.upTo.snapshot.xmax),
          page === null ? null : page.upTo.snapshot.xip.map(String),
          page?.afterId ?? null,
          pageSize,
          filter.ids,
          filter.definitionIds,
          filter.subject?.type ?? null,
          filter.subject?.id ?? null,
          filter.correlationId,
          filter.createdBy,
          // Counted once; further pages stop where they are full.
          page === null ? MAX_MISSED + 1 : pageSize + 1,
        ]);
        return this.#toPage(rows, page?.upTo ?? now);
      });
    } catch (error) {
      if (sqlState(error) === QUERY_CANCELED) return { kind: 'resync', reason: 'tooMany' };
      throw error;
    }
  }

  #toPage(rows: readonly ChangedJobRow[], upTo: Position): Missed {
    const total = rows[0]?.total ?? 0;
    if (total > MAX_MISSED) return { kind: 'resync', reason: 'tooMany' };
    const changes = rows.map((row) => toChange(row.kind, row) as JobChange | JobRemoval);
    const last = rows.at(-1);
    const next = last !== undefined && total > rows.length ? { upTo, afterId: last.id } : null;
    return { kind: 'page', changes, upTo, next };
  }

  #inSnapshot<T>(tenantId: string, read: (tx: Transaction, now: Position) => Promise<T>): Promise<T> {
    const scope = { role: 'api', tenantId, readOnly: true, repeatableRead: true } as const;
    return this.#database.transaction(scope, async (tx) => {
      const { rows } = await tx.query<ServerStateRow>(readServerState, []);
      const [row] = rows;
      if (row === undefined) throw new TypeError('read_server_state gave no row');
      return read(tx, toPosition(row));
    });
  }
}
