import { toError } from '../core/errors.ts';
import { classifyError } from '../db/retryable.ts';
import type { WorkerRow } from '../db/sql/operations/list-workers.ts';
import { WorkersSubscription } from './workers-subscription.ts';

/** Workers are seen every few seconds: looking more often shows nothing more. */
const EVERY_MS = 1_000;

/**
 * The worker processes for all who watch them: one look a second while somebody does. They are few, and a
 * silence is no change of any row, so there is nothing that could be notified of.
 */
export class WorkerWatch {
  readonly #read: () => Promise<readonly WorkerRow[]>;
  readonly #subscriptions = new Set<WorkersSubscription>();
  #last: readonly WorkerRow[] | null = null;
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(read: () => Promise<readonly WorkerRow[]>) {
    this.#read = read;
  }

  /** A stream of the whole list; nothing is held before its first `next()`. */
  subscribe(): WorkersSubscription {
    return new WorkersSubscription(this);
  }

  join(subscription: WorkersSubscription): void {
    this.#subscriptions.add(subscription);
    if (this.#last !== null) subscription.offer(this.#last);
    else void this.#look();
  }

  leave(subscription: WorkersSubscription): void {
    if (!this.#subscriptions.delete(subscription) || this.#subscriptions.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const rows = await this.#read();
      if (this.#subscriptions.size > 0) this.#last = rows;
      for (const subscription of this.#subscriptions) subscription.offer(rows);
    } catch (error) {
      // An outage is waited out; anything else would fail forever.
      if (classifyError(error) === 'fatal')
        for (const subscription of [...this.#subscriptions]) subscription.fail(toError(error));
    }
    this.#isLooking = false;
    clearTimeout(this.#timer);
    if (this.#subscriptions.size > 0) this.#timer = setTimeout(() => void this.#look(), EVERY_MS).unref();
  }
}
