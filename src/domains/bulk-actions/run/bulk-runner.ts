import { randomUUID } from 'node:crypto';
import { DomainError, toError } from '../../../core/errors.ts';
import { classifyError } from '../../../db/retryable.ts';
import type { Logger } from '../../../telemetry/log.ts';
import type { HeldBulkAction } from '../bulk-action.ts';
import { renewBulkAction } from '../sql/renew-bulk-action.ts';
import { type TakenBulkActionRow, takeBulkAction } from '../sql/take-bulk-action.ts';
import { BulkRun, type BulkRunDeps, HoldLost, shownFailure } from './bulk-run.ts';

/** How long a process that is gone holds what it worked on. */
const HOLD_SECONDS = 6;
const RENEW_MS = 2_000;
const LOOK_MS = 10_000;
/** Worked on at a time, of all tenants: others get their turn beside one that takes an hour. */
const MAX_AT_A_TIME = 3;

interface BulkRunnerOptions extends BulkRunDeps {
  readonly log: Logger;
}

/**
 * Works on bulk actions in a process of the API. Each is held by one process at a time, for some seconds and
 * again; when that is gone another one, or the same after its restart, goes on behind the last batch.
 */
export class BulkRunner {
  readonly #options: BulkRunnerOptions;
  readonly #ending = new AbortController();
  readonly #runs = new Set<Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | null = null;
  #isAsked = false;
  #isStarted = false;

  constructor(options: BulkRunnerOptions) {
    this.#options = options;
  }

  /** Begins with what was left by others. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** There is something new to do. */
  wake(): void {
    if (!this.#isStarted || this.#ending.signal.aborted) return;
    this.#isAsked = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#isAsked) this.wake();
    });
  }

  /**
   * Ends after the batches under way; others go on with the rest at once. May be called any number of times.
   */
  async stop(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all(this.#runs);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    let waitMs = LOOK_MS;
    while (this.#isAsked && !this.#ending.signal.aborted) {
      this.#isAsked = false;
      waitMs = await this.#takeFree().catch((error: unknown) => {
        this.#options.log.warn({ reason: toError(error).message }, 'bulk actions: the look was in vain');
        return LOOK_MS;
      });
    }
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => this.wake(), waitMs);
    // A process that has nothing else to do may end.
    this.#timer.unref();
  }

  /** Begins with as many as are free. @returns when to look again, in milliseconds */
  async #takeFree(): Promise<number> {
    while (this.#runs.size < MAX_AT_A_TIME && !this.#ending.signal.aborted) {
      const holder = randomUUID();
      const { rows } = await this.#options.db.asWorker<TakenBulkActionRow>(takeBulkAction, [
        holder,
        HOLD_SECONDS,
      ]);
      const row = rows[0];
      if (row === undefined || row.id === null) {
        const next = row?.nextSeconds ?? null;
        return next === null ? LOOK_MS : Math.min(LOOK_MS, Math.max(100, next * 1_000 + 50));
      }
      const run = this.#work(row, holder).finally(() => {
        this.#runs.delete(run);
        this.wake();
      });
      this.#runs.add(run);
    }
    return LOOK_MS;
  }

  async #work(action: HeldBulkAction, holder: string): Promise<void> {
    const { db, log } = this.#options;
    const renew = (seconds: number) =>
      db.asWorker(renewBulkAction, [action.id, holder, seconds]).then(
        () => undefined,
        () => undefined,
      );
    const renewing = setInterval(() => void renew(HOLD_SECONDS), RENEW_MS);
    const run = new BulkRun(this.#options, action, holder);
    try {
      const status = await run.toEnd(this.#ending.signal);
      if (status === null) await renew(0);
      else await run.end(status, null);
    } catch (error) {
      if (error instanceof HoldLost) return;
      const reason = toError(error).message;
      log.warn({ bulk_action_id: action.id, reason }, 'bulk actions: one was interrupted');
      // An outage is waited out: the hold ends by itself.
      if (!(error instanceof DomainError) && classifyError(error) !== 'fatal') return;
      await run.end('failed', shownFailure(error)).catch(() => undefined);
    } finally {
      clearInterval(renewing);
    }
  }
}
