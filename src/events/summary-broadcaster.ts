import { toError } from '../core/errors.ts';
import { backoffMs } from '../db/backoff.ts';
import { classifyError, sqlState } from '../db/retryable.ts';
import { type Change, isOfJob } from './change.ts';
import type { FeedSubscriber, SubscriptionHost } from './feed-subscriber.ts';
import { isAgeing, type JobSummary } from './job-summary.ts';
import type { Counted, JobSummaryReader } from './job-summary-reader.ts';
import type { JobSummarySubscription, SummaryHost } from './job-summary-subscription.ts';

/** Least time between two countings of a tenant: at most two a second. */
const MIN_INTERVAL_MS = 500;
/**
 * And this many times what the last one took, so that counts never keep the database busy for more than a
 * tenth.
 */
const REST_FACTOR = 10;
/** Counts in which only time passes are looked at this often: finished jobs leave the window. */
const AGEING_MS = 10_000;
const QUERY_CANCELED = '57014';

/**
 * The counts of one tenant for all who watch them: a subscriber of the hub that recounts at changes
 * when there was one, for everybody at once. It exists only while somebody watches.
 */
export class SummaryBroadcaster implements FeedSubscriber, SummaryHost {
  readonly tenantId: string;
  readonly jobIds = null;
  readonly #host: SubscriptionHost;
  readonly #reader: JobSummaryReader;
  readonly #onEmpty: () => void;
  readonly #subscriptions = new Set<JobSummarySubscription>();
  #phase: 'new' | 'open' | 'closed' = 'new';
  #isDue = true;
  #last: Counted | null = null;
  #isCounting = false;
  #timer: NodeJS.Timeout | undefined;
  #nextAtMs = 0;
  #failures = 0;

  constructor(host: SubscriptionHost, reader: JobSummaryReader, tenantId: string, onEmpty: () => void) {
    this.#host = host;
    this.#reader = reader;
    this.tenantId = tenantId;
    this.#onEmpty = onEmpty;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  join(subscription: JobSummarySubscription): void {
    this.#subscriptions.add(subscription);
    if (this.#phase === 'new') {
      this.#phase = 'open';
      this.#host.join(this);
      // The tail first, then the count: what is committed in between is counted twice rather than never.
      void this.#host.attach(this).then(() => this.#schedule());
      return;
    }
    const known = this.#last?.bySeconds.get(subscription.sinceSeconds);
    // As new as what the others have; if more has happened, all of them get it next.
    if (known !== undefined) subscription.offer(known);
    else this.#mark();
  }

  leave(subscription: JobSummarySubscription): void {
    if (this.#subscriptions.delete(subscription) && this.#subscriptions.size === 0) this.#close();
  }

  // What the tail brings ------------------------------------------------------------------------------------

  accept(change: Change): boolean {
    // Progress moves no job from one status to another.
    if (!isOfJob(change) || (change.kind === 'job' && change.isProgressOnly === true)) return false;
    this.#mark();
    return false;
  }

  rangeEnded(): void {}

  restarted(): void {
    this.#mark();
  }

  lost(): void {
    this.#mark();
  }

  refresh(): void {}

  /** The process stops. */
  end(): void {
    for (const subscription of [...this.#subscriptions]) subscription.end();
    this.#close();
  }

  // Counting ------------------------------------------------------------------------------------------------

  #mark(): void {
    this.#isDue = true;
    this.#schedule();
  }

  #schedule(idleMs = 0): void {
    if (this.#phase !== 'open' || this.#isCounting) return;
    clearTimeout(this.#timer);
    const waitMs = Math.max(this.#nextAtMs - performance.now(), idleMs);
    this.#timer = setTimeout(() => void this.#count(), Math.max(waitMs, 0));
  }

  async #count(): Promise<void> {
    this.#isCounting = true;
    this.#isDue = false;
    const windows = new Set([...this.#subscriptions].map(({ sinceSeconds }) => sinceSeconds));
    let ageing = false;
    try {
      const counted = await this.#reader.count(this.tenantId, [...windows]);
      this.#last = counted;
      this.#failures = 0;
      this.#host.readSucceeded();
      this.#nextAtMs = performance.now() + Math.max(MIN_INTERVAL_MS, REST_FACTOR * counted.tookMs);
      ageing = this.#deliver(counted);
    } catch (error) {
      this.#failed(error);
    }
    this.#isCounting = false;
    if (this.#isDue) this.#schedule();
    else if (ageing) this.#schedule(AGEING_MS);
  }

  /** @returns whether time alone will change what was delivered */
  #deliver({ bySeconds }: Counted): boolean {
    for (const subscription of this.#subscriptions) {
      const summary: JobSummary | undefined = bySeconds.get(subscription.sinceSeconds);
      if (summary === undefined) this.#isDue = true;
      else subscription.offer(summary);
    }
    return [...bySeconds.values()].some(isAgeing);
  }

  /** Outages, and countings that took too long, are waited out; anything else would fail forever. */
  #failed(error: unknown): void {
    if (classifyError(error) === 'fatal' && sqlState(error) !== QUERY_CANCELED) {
      for (const subscription of [...this.#subscriptions]) subscription.fail(toError(error));
      return;
    }
    this.#host.readFailed(toError(error));
    this.#isDue = true;
    this.#nextAtMs = performance.now() + backoffMs(++this.#failures);
  }

  #close(): void {
    if (this.#phase === 'closed') return;
    const wasOpen = this.#phase === 'open';
    this.#phase = 'closed';
    clearTimeout(this.#timer);
    if (wasOpen) this.#host.leave(this);
    this.#onEmpty();
  }
}
