import { addCounts, type BatchCounts, type SkipReason } from '../core/bulk.ts';
import type { ManyJobs as AnyManyJobs } from '../core/producer-queue.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { holdingJobs } from './hold-jobs.ts';

/** Their batches are transactions of this engine. */
export type ManyJobs = AnyManyJobs<Transaction>;

/** What became of the rows of one batch. */
export interface Batch {
  readonly counts: BatchCounts;
  /** Rows, as they were, that were changed. */
  readonly touched: readonly LockedJobRow[];
}

/** The two halves of a verb. */
export interface BatchVerb {
  /** Types of subjects whose jobs' payloads it reads. */
  readonly payloadSubjects: readonly string[];
  /**
   * Does one batch in a transaction that holds its rows; says nothing of rows that it is not given. May run
   * more than once.
   */
  readonly work: (tx: Transaction, rows: readonly LockedJobRow[]) => Promise<Batch>;
  /** Notifies; called after each commit that changed anything. */
  readonly committed: (touched: readonly LockedJobRow[]) => void;
}

/** Each batch is a transaction: long ones would hold up claims, and keep what they hold from the workers. */
const BATCH_SIZE = 500;
const WAIT_MS = 1_000;
/** After this long nothing more is waited for; what is held by others then counts as busy. */
const PATIENCE_MS = 15_000;
const MAX_RIVAL_ROUNDS = 5;

/**
 * Runs a verb over the jobs in batches, each a transaction of its own, in id order. Where somebody's open
 * transaction holds some, the others are done without them. A batch that fails leaves the earlier ones done.
 */
export async function inBatches(db: Database, jobs: ManyJobs, verb: BatchVerb): Promise<BatchCounts> {
  const ids = [...new Set(jobs.ids)].sort();
  const run = new BatchRun(db, jobs, verb);
  const done: BatchCounts[] = [];
  for (let from = 0; from < ids.length; from += BATCH_SIZE)
    done.push(await run.batch(ids.slice(from, from + BATCH_SIZE)));
  return addCounts(done);
}

class BatchRun {
  readonly #db: Database;
  readonly #jobs: ManyJobs;
  readonly #verb: BatchVerb;
  readonly #patientUntilMs = performance.now() + PATIENCE_MS;

  constructor(db: Database, jobs: ManyJobs, verb: BatchVerb) {
    this.#db = db;
    this.#jobs = jobs;
    this.#verb = verb;
  }

  async batch(ids: readonly string[]): Promise<BatchCounts> {
    const waited = this.#isPatient() ? await this.#attempt(ids, false) : 'busy';
    return waited === 'busy' ? this.#freeOnes(ids) : waited;
  }

  /**
   * Those that nobody holds. It can still wait in vain for something beside the rows (a dedupe key, a video):
   * then by halves.
   */
  async #freeOnes(ids: readonly string[]): Promise<BatchCounts> {
    const free = await this.#attempt(ids, true);
    if (free !== 'busy') return free;
    if (ids.length === 1 || !this.#isPatient()) return skippedAll('busy', ids.length);
    const middle = Math.ceil(ids.length / 2);
    return addCounts([await this.#freeOnes(ids.slice(0, middle)), await this.#freeOnes(ids.slice(middle))]);
  }

  #isPatient(): boolean {
    return performance.now() < this.#patientUntilMs;
  }

  async #attempt(ids: readonly string[], onlyFree: boolean): Promise<BatchCounts | 'busy'> {
    const { tenantId, statuses } = this.#jobs;
    for (let round = 1; ; round++) {
      try {
        const holding = {
          tenantId,
          ids,
          onlyFree,
          waitMs: WAIT_MS,
          payloadSubjects: this.#verb.payloadSubjects,
        };
        const batch = await holdingJobs(this.#db, holding, async (tx, rows) => {
          const asExpected = rows.filter((row) => statuses === null || statuses.includes(row.status));
          const missing = skippedAll(onlyFree ? 'busy' : 'gone', ids.length - rows.length);
          const changed = skippedAll('changed', rows.length - asExpected.length);
          const { counts, touched } = await this.#verb.work(tx, asExpected);
          const all = addCounts([counts, missing, changed]);
          await this.#jobs.recording?.(tx, all, ids);
          return { counts: all, touched };
        });
        if (batch === 'busy') return 'busy';
        if (batch.touched.length > 0) this.#verb.committed(batch.touched);
        return batch.counts;
      } catch (error) {
        // A rival with the dedupe key of one of them has just committed: the next round sees it.
        if (sqlState(error) !== '23505') throw error;
        if (round === MAX_RIVAL_ROUNDS) return 'busy';
      }
    }
  }
}

function skippedAll(reason: SkipReason, count: number): BatchCounts {
  return { changedCount: 0, requestedCount: 0, skipped: { [reason]: count } };
}
