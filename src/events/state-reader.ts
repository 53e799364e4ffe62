import type { Database } from '../db/database.ts';
import { feedValues, NO_CHANGING_CONDITIONS } from '../db/feed-conditions.ts';
import { type ChangedJobRow, findChangedJobs } from '../db/sql/feed/find-changed-jobs.ts';
import { findInitialJobs, type InitialJobRow } from '../db/sql/feed/find-initial-jobs.ts';
import { type JobChange, type JobRemoval, toChange } from './change.ts';
import type { CheckedFilter } from './filter.ts';
import type { InitialState, Missed } from './list-kind.ts';
import { inSnapshot, MAX_MISSED, readMissed } from './missed.ts';
import type { PageStart, Position } from './position.ts';

/**
 * Jobs that a fresh state looks through in each of its sources; a tenant with more active or fresh ones gets
 * a state that is not complete.
 */
const LOOKED_THROUGH = 10_000;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** Reads one tenant's jobs for a subscriber, under that tenant's row security. */
export class StateReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The state that a fresh subscription starts from. */
  async initial(filter: CheckedFilter): Promise<InitialState<JobChange>> {
    return inSnapshot(this.#database, filter.tenantId, async (tx, position) => {
      const { rows } = await tx.query<InitialJobRow>(findInitialJobs(filter), [
        filter.tenantId,
        filter.sinceSeconds,
        filter.initialLimit + 1,
        Math.max(LOOKED_THROUGH, filter.initialLimit + 1),
        ...feedValues(filter),
      ]);
      const jobs = rows.filter((row) => row.id !== null);
      const found = jobs.slice(0, filter.initialLimit).map((row) => toChange('job', row) as JobChange);
      const isCut = rows.some((row) => row.id === null && row.is_cut);
      return { position, found, complete: jobs.length <= filter.initialLimit && !isCut };
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
      async (tx, { parameters }) => {
        const [xmax, xip, upToXmax, upToXip, afterId, size] = parameters;
        const conditions = { ...filter, ...NO_CHANGING_CONDITIONS };
        const { rows } = await tx.query<ChangedJobRow>(findChangedJobs(conditions), [
          filter.tenantId,
          xmax,
          xip,
          upToXmax,
          upToXip,
          afterId ?? LEAST_ID,
          size,
          MAX_MISSED + 1,
          ...feedValues(conditions),
        ]);
        return rows;
      },
      (row) => toChange(row.kind, row) as JobChange | JobRemoval,
    );
  }
}
