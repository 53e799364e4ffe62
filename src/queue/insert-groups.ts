import { toError } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { refusesData } from '../db/retryable.ts';
import { insertRows } from './insert-rows.ts';
import type { NewJob, Outcome } from './new-jobs.ts';
import { READY_CHANNELS } from './notifications.ts';

/** INSERTs of one process under way at a time. */
const MAX_IN_FLIGHT = 2;
const MAX_GROUP_JOBS = 500;
/** So that a large payload holds up few others. */
const MAX_GROUP_BYTES = 2 * 1024 * 1024;

interface Waiting {
  readonly job: NewJob;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shares INSERTs among single enqueues that are made at the same time. No timer: the first goes at once,
 * those that come while INSERTs are under way form the next. Only jobs without dedupe key and parents: they
 * wait for no lock, and none of them can hold up the others.
 *
 * One statement of the worker role, its own transaction: one round trip where BEGIN with role and tenant,
 * INSERT and COMMIT would be three, and jobs of several tenants fit in one. Row security does not see to the
 * tenant then; instead the tenant is a value that comes with each job from the caller's authenticated scope,
 * and the statement joins it: a tenant that is not there, or is deleted, gets nothing. Enqueue is a verb of
 * the queue, and those are what the worker role is for.
 */
export class InsertGroups {
  readonly #db: Database;
  readonly #notifier: Notifier;
  readonly #maxInFlight: number;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #isArmed = false;

  /** @param maxInFlight INSERTs under way at a time */
  constructor(db: Database, notifier: Notifier, maxInFlight = MAX_IN_FLIGHT) {
    this.#db = db;
    this.#notifier = notifier;
    this.#maxInFlight = maxInFlight;
  }

  /**
   * Resolves after the commit of this job; rejects with its own error only, or when the database was lost
   * meanwhile.
   */
  insert(job: NewJob): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed || this.#inFlight >= this.#maxInFlight || this.#waiting.length === 0) return;
    this.#isArmed = true;
    // At the end of this turn, so that calls of the same turn go together: those whose last call one answer
    // has just resolved.
    process.nextTick(() => {
      this.#isArmed = false;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const group = this.#take();
    this.#inFlight++;
    this.#arm();
    try {
      await this.#insertGroup(group);
    } finally {
      this.#inFlight--;
      this.#arm();
    }
  }

  #take(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ job }, index) => {
      bytes += job.payloadJson.length;
      return index === MAX_GROUP_JOBS || (index > 0 && bytes > MAX_GROUP_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** Never rejects. */
  async #insertGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const jobs = group.map(({ job }) => job);
      // On a quiet platform the notification goes with the commit: a round trip less until the job starts.
      const notifying = this.#notifier.takeTurn() ? READY_CHANNELS : null;
      const outcomes = await insertRows((statement, values) => this.#db.asWorker(statement, values), jobs, {
        evenDeletedTenants: false,
        notifying,
      });
      for (const [at, outcome] of outcomes.entries()) group[at]?.resolve(outcome);
    } catch (thrown) {
      // Only when the database has refused the rows. After a lost connection nobody knows whether it
      // committed, and trying again might write every job twice.
      if (group.length > 1 && refusesData(thrown)) for (const one of group) await this.#insertGroup([one]);
      else for (const { reject } of group) reject(toError(thrown));
    }
  }
}
