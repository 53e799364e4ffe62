import { WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { toJob } from '../db/rows.ts';
import { expireJobs as expireStatement } from '../db/sql/queue/expire-jobs.ts';
import {
  type EndedRow,
  finishPendingCancels as endStatement,
} from '../db/sql/queue/finish-pending-cancels.ts';
import type { Pipelines } from './pipelines.ts';

/**
 * Ends doomed jobs as `canceled` without a worker, with what their pipelines say to it, and what their end
 * dooms in turn: one transaction, for all tenants. A doomed job is queued with `cancel_requested_at`: a
 * parent ended badly, it expired, or its cancel was asked before its worker was lost. Those that a worker has
 * claimed this moment are left to it.
 * @param limit jobs that this call ends at most
 * @returns how many it ended; `limit` of them means that there may be more
 */
export async function finishPendingCancels(
  db: Database,
  notifier: Pick<Notifier, 'notify'>,
  pipelines: Pipelines,
  limit: number,
): Promise<number> {
  const done = await db.transaction({ role: 'worker' }, async (tx) => {
    const { rows } = await tx.query<EndedRow>(endStatement, [limit]);
    let ready = rows[0]?.released ?? false;
    for (const row of rows) {
      const job = toJob(row);
      const settlement = { status: 'canceled', reason: job.reason ?? 'canceled' } as const;
      const next = await pipelines.onFinal(job, row.definition_key, settlement)?.apply(tx);
      ready ||= next?.some((result) => result.kind === 'created') ?? false;
    }
    return { count: rows.length, ready };
  });
  if (done.ready) notifier.notify(WORK_CHANNEL);
  if (done.count > 0) notifier.notify(WATCH_CHANNEL);
  return done.count;
}

/**
 * Ends jobs that have not begun by their `expiresAt`, whether their definition is paused, unknown or busy.
 * For the maintenance leader; a worker that claims one first ends it itself.
 * @param limit jobs that this call looks at
 * @returns how many expired
 */
export async function expireJobs(
  db: Database,
  notifier: Pick<Notifier, 'notify'>,
  pipelines: Pipelines,
  limit: number,
): Promise<number> {
  const { rows } = await db.asWorker<{ id: string }>(expireStatement, [limit]);
  if (rows.length > 0) await finishPendingCancels(db, notifier, pipelines, limit);
  return rows.length;
}

const BATCH = 500;
/** Batches of one call; what a wider cascade leaves over is for the workers and the maintenance leader. */
const MAX_BATCHES = 40;

/**
 * Ends what the commits of this process have doomed, right after them. Calls while it is under way share one
 * more round. Never throws: what it cannot end now stays doomed, and a worker or the maintenance leader ends
 * it.
 */
export class PendingCancelFinisher {
  readonly #db: Database;
  readonly #notifier: Pick<Notifier, 'notify'>;
  readonly #pipelines: Pipelines;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(db: Database, notifier: Pick<Notifier, 'notify'>, pipelines: Pipelines) {
    this.#db = db;
    this.#notifier = notifier;
    this.#pipelines = pipelines;
  }

  /** Resolves when what is doomed by now has ended. */
  end(): Promise<void> {
    if (this.#current === undefined) return this.#start();
    // The round that is under way may have looked before the caller's commit.
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  #start(): Promise<void> {
    this.#current = this.#run().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async #run(): Promise<void> {
    try {
      for (let batch = 0; batch < MAX_BATCHES; batch++)
        if ((await finishPendingCancels(this.#db, this.#notifier, this.#pipelines, BATCH)) < BATCH) return;
    } catch {
      // The database is away, or a row is held by another transaction: the commit that asked to cancel them
      // stands.
    }
    this.#notifier.notify(WORK_CHANNEL);
  }
}
