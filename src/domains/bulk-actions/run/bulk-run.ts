import type { BatchCounts } from '../../../core/bulk.ts';
import { DomainError } from '../../../core/errors.ts';
import type { ManyJobs } from '../../../core/producer-queue.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import type { ReadDatabase } from '../../../db/prisma.ts';
import { CANCELABLE } from '../../../jobs/cancel-jobs.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { RETRYABLE } from '../../../jobs/retry-jobs.ts';
import { MAX_SELECTION, type Selection, selectionCursor, selectJobs } from '../../../jobs/select-jobs.ts';
import type { BulkStatus, HeldBulkAction, RecordedBatch } from '../bulk-action.ts';
import { endBulkAction } from '../sql/end-bulk-action.ts';
import { noteBulkMatches } from '../sql/note-bulk-matches.ts';
import { type RecordedBatchRow, recordBulkBatch } from '../sql/record-bulk-batch.ts';
import { filterOf } from './stored-filter.ts';

export interface BulkRunDeps {
  readonly db: Database;
  readonly reads: ReadDatabase;
  readonly queue: JobsDeps['queue'];
}

/** As many as one transaction of the queue changes. */
const BATCH_SIZE = 500;

/** Somebody else works on it: what this process was about to write is not written. */
export class HoldLost extends Error {
  constructor() {
    super('The bulk action is held by another process');
  }
}

/**
 * One process at work on one bulk action. Each batch is counted in its own transaction, so the process that
 * goes on with it counts on.
 */
export class BulkRun {
  readonly #deps: BulkRunDeps;
  readonly #action: HeldBulkAction;
  readonly #holder: string;
  #isStopRequested = false;

  constructor(deps: BulkRunDeps, action: HeldBulkAction, holder: string) {
    this.#deps = deps;
    this.#action = action;
    this.#holder = holder;
  }

  /**
   * Goes on until all that match were looked at, it is asked to stop, or the signal fires.
   * @returns null when the signal ended it: there is more to do
   * @throws HoldLost, DomainError for a filter that is not taken any more, and what the database throws
   */
  async toEnd(signal: AbortSignal): Promise<BulkStatus | null> {
    let after = this.#action.lastJobId === null ? null : selectionCursor(this.#action.lastJobId);
    for (;;) {
      const selection = await this.#select(after);
      await this.#note(selection);
      for (let at = 0; at < selection.jobs.ids.length && !this.#isStopRequested; at += BATCH_SIZE) {
        if (signal.aborted) return null;
        await this.#batch(selection.jobs, selection.jobs.ids.slice(at, at + BATCH_SIZE));
      }
      if (this.#isStopRequested) return 'stopped';
      if (!selection.hasMore) return 'succeeded';
      after = selection.endCursor;
    }
  }

  /** Writes how it ended. */
  async end(status: BulkStatus, error: string | null): Promise<void> {
    await this.#write((tx) =>
      tx.query(endBulkAction, [this.#action.tenantId, this.#action.id, this.#holder, status, error]),
    );
  }

  async #select(after: string | null): Promise<Selection> {
    const { tenantId, filter, createdAt, verb } = this.#action;
    const reads = this.#deps.reads.read({ role: 'api', tenantId });
    try {
      const request = { filter: filterOf(filter, createdAt), limit: MAX_SELECTION, after };
      return await selectJobs(reads, tenantId, request, verb === 'cancel' ? CANCELABLE : RETRYABLE);
    } finally {
      await reads.close();
    }
  }

  async #note({ jobs, hasMore }: Selection): Promise<void> {
    const { tenantId, id } = this.#action;
    await this.#write(async (tx) => {
      const values = [tenantId, id, this.#holder, jobs.ids.length, hasMore];
      this.#take((await tx.query<RecordedBatchRow>(noteBulkMatches, values)).rows[0]);
    });
  }

  async #batch(jobs: Selection['jobs'], ids: readonly string[]): Promise<void> {
    const last = ids.at(-1) ?? null;
    // By what they held, and not added up: a transaction that lost a race is run again.
    const recorded = new Map<string, number>();
    const recording = async (tx: Transaction, counts: BatchCounts, of: readonly string[]): Promise<void> => {
      const { changedCount: doneCount, requestedCount, skipped } = counts;
      const isWhole = of.length === ids.length;
      await this.#record(tx, { doneCount, requestedCount, skipped, lastJobId: isWhole ? last : null });
      recorded.set(of[0] ?? '', of.length);
    };
    await this.#change({ ...jobs, ids, recording });
    const count = [...recorded.values()].reduce((sum, each) => sum + each, 0);
    if (recorded.size === 1 && count === ids.length) return;
    // In parts, of which some were held by others all the time.
    const rest: RecordedBatch = {
      doneCount: 0,
      requestedCount: 0,
      skipped: count < ids.length ? { busy: ids.length - count } : {},
      lastJobId: last,
    };
    await this.#write((tx) => this.#record(tx, rest));
  }

  async #change(jobs: Selection['jobs'] & Pick<ManyJobs<Transaction>, 'recording'>): Promise<void> {
    const { tenantId, verb, createdBy, reason, spreadSeconds } = this.#action;
    const many: ManyJobs<Transaction> = { ...jobs, tenantId, by: createdBy ?? 'system' };
    if (verb === 'cancel') await this.#deps.queue.cancelMany(many, reason);
    else await this.#deps.queue.retryMany(many, spreadSeconds);
  }

  async #record(tx: Transaction, batch: RecordedBatch): Promise<void> {
    const { tenantId, id } = this.#action;
    const { doneCount, requestedCount, skipped, lastJobId } = batch;
    const values = [
      tenantId,
      id,
      this.#holder,
      doneCount,
      requestedCount,
      JSON.stringify(skipped),
      lastJobId,
    ];
    this.#take((await tx.query<RecordedBatchRow>(recordBulkBatch, values)).rows[0]);
  }

  #take(row: RecordedBatchRow | undefined): void {
    if (row === undefined) throw new HoldLost();
    this.#isStopRequested ||= row.isStopRequested;
  }

  async #write(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    await this.#deps.db.transaction({ role: 'api', tenantId: this.#action.tenantId }, work);
    this.#deps.queue.notifyChanged();
  }
}

/** What is shown of a failure: our own words alone. */
export function shownFailure(error: unknown): string {
  return error instanceof DomainError
    ? error.message
    : 'An unexpected error ended it; the server’s log has it.';
}
