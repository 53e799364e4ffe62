import type { Database } from '../db/database.ts';
import { type ChangedJobRow, findChangedJobs } from '../db/sql/feed/find-changed-jobs.ts';
import { type FeedJobRow, findInitialJobs } from '../db/sql/feed/find-initial-jobs.ts';
import { type JobChange, type JobRemoval, toChange } from './change.ts';
import type { CheckedFilter } from './filter.ts';
import type { InitialState, Missed } from './list-kind.ts';
import { inSnapshot, readMissed } from './missed.ts';
import type { PageStart, Position } from './position.ts';

/** Reads one tenant's jobs for a subscriber, under that tenant's row security. */
export class StateReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The state that a fresh subscription starts from. */
  async initial(filter: CheckedFilter): Promise<InitialState<JobChange>> {
    return inSnapshot(this.#database, filter.tenantId, async (tx, position) => {
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
      const found = rows.slice(0, filter.initialLimit).map((row) => toChange('job', row) as JobChange);
      return { position, found, complete: rows.length <= filter.initialLimit };
    });
  }

  /** What was missed since `since`, see `readMissed`. */
  missed(
    filter: CheckedFilter,
    since: Position,
    start: PageStart | null,
    pageSize: number,
  ): Promise<Missed<JobChange | JobRemoval>> {
    return readMissed(
      this.#database,
      { tenantId: filter.tenantId, since, start, pageSize },
      async (tx, { parameters, maxTotal }) => {
        const { rows } = await tx.query<ChangedJobRow>(findChangedJobs, [
          filter.tenantId,
          ...parameters,
          filter.ids,
          filter.definitionIds,
          filter.subject?.type ?? null,
          filter.subject?.id ?? null,
          filter.correlationId,
          filter.createdBy,
          maxTotal,
        ]);
        return rows;
      },
      (row) => toChange(row.kind, row) as JobChange | JobRemoval,
    );
  }
}
