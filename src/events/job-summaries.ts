import type { SubscriptionHost } from './feed-subscriber.ts';
import type { JobSummary } from './job-summary.ts';
import type { JobSummaryReader } from './job-summary-reader.ts';
import { JobSummarySubscription, type SummaryHost } from './job-summary-subscription.ts';
import { SummaryBroadcaster } from './summary-broadcaster.ts';

/**
 * An answer is given out again for this many times what it took to count, so that asking often costs no more
 * than watching.
 */
const REUSE_FACTOR = 10;
const MAX_REUSE_MS = 5_000;

/**
 * The broadcasters of the tenants whose counts somebody watches, and single answers for those who only ask.
 */
export class JobSummaries {
  readonly #host: SubscriptionHost;
  readonly #reader: JobSummaryReader;
  readonly #broadcasters = new Map<string, SummaryBroadcaster>();
  readonly #answers = new Map<string, Promise<JobSummary>>();

  constructor(host: SubscriptionHost, reader: JobSummaryReader) {
    this.#host = host;
    this.#reader = reader;
  }

  /** Tenants whose counts are watched; each is one member of the hub. */
  get broadcasterCount(): number {
    return this.#broadcasters.size;
  }

  /** Streams of counts. */
  get subscriptionCount(): number {
    return [...this.#broadcasters.values()].reduce(
      (sum, broadcaster) => sum + broadcaster.subscriptionCount,
      0,
    );
  }

  /** A stream of one tenant's counts; nothing is held before its first `next()`. */
  subscribe(tenantId: string, sinceSeconds: number): JobSummarySubscription {
    // The broadcaster is looked up when the stream begins: the one of now may be closed by then.
    const host: SummaryHost = {
      join: (subscription) => this.#broadcasterOf(tenantId).join(subscription),
      leave: (subscription) => this.#broadcasters.get(tenantId)?.leave(subscription),
    };
    return new JobSummarySubscription(host, tenantId, sinceSeconds);
  }

  /** The counts, once. A caller that asks at the same time, or right after, gets the same answer. */
  read(tenantId: string, sinceSeconds: number): Promise<JobSummary> {
    const key = `${tenantId}/${sinceSeconds}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#count(key, tenantId, sinceSeconds);
    this.#answers.set(key, answer);
    return answer;
  }

  async #count(key: string, tenantId: string, sinceSeconds: number): Promise<JobSummary> {
    let reuseMs = 0;
    try {
      const { bySeconds, tookMs } = await this.#reader.count(tenantId, [sinceSeconds]);
      reuseMs = Math.min(REUSE_FACTOR * tookMs, MAX_REUSE_MS);
      const summary = bySeconds.get(sinceSeconds);
      if (summary === undefined) throw new TypeError(`Nothing was counted for ${sinceSeconds} s`);
      return summary;
    } finally {
      setTimeout(() => this.#answers.delete(key), reuseMs).unref();
    }
  }

  #broadcasterOf(tenantId: string): SummaryBroadcaster {
    const known = this.#broadcasters.get(tenantId);
    if (known !== undefined) return known;
    const broadcaster = new SummaryBroadcaster(this.#host, this.#reader, tenantId, () => {
      if (this.#broadcasters.get(tenantId) === broadcaster) this.#broadcasters.delete(tenantId);
    });
    this.#broadcasters.set(tenantId, broadcaster);
    return broadcaster;
  }
}
