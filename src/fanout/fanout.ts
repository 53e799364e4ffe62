import { DomainError } from '../core/errors.ts';
import type { LiveSource } from '../events/live-source.ts';
import type { FeedMetrics } from '../telemetry/feed-metrics.ts';
import { Group, type Opened } from './group.ts';
import { Subscriber, type SubscriberHost } from './subscriber.ts';

export interface FanoutOptions {
  readonly metrics: FeedMetrics;
  /** How long a consumer may stay full before it is given up. */
  readonly maxFullMs: number;
  /** Subscriptions of one tenant that this process carries at a time. */
  readonly maxSubscribersPerTenant: number;
}

/** What makes a group, where there is none yet. */
export interface Question<Event, Source extends LiveSource<Event>> {
  /** Equal for all who may receive the same bytes. */
  readonly key: string;
  open(after: string | null): Opened<Event, Source>;
  toError(error: unknown): Error;
}

interface KnownGroup {
  readonly group: Pick<Group<never, never>, 'join' | 'streamCount'>;
  /** The question of the first subscriber. */
  readonly question: unknown;
}

/** The groups and subscribers of a process. */
export class Fanout {
  readonly #options: FanoutOptions;
  readonly #groups = new Map<string, KnownGroup>();
  readonly #countOfTenant = new Map<string, number>();
  #subscriberCount = 0;

  constructor(options: FanoutOptions) {
    this.#options = options;
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  /** Sources that the groups take from. */
  get streamCount(): number {
    let count = 0;
    for (const { group } of this.#groups.values()) count += group.streamCount;
    return count;
  }

  get subscriberCount(): number {
    return this.#subscriberCount;
  }

  /**
   * Makes room for one more subscriber of a tenant, until `release`.
   * @throws DomainError `TooManySubscriptions`
   */
  admit(host: SubscriberHost, tenantId: string, after: string | null): Subscriber {
    const count = this.#countOfTenant.get(tenantId) ?? 0;
    const { maxSubscribersPerTenant, maxFullMs } = this.#options;
    if (count >= maxSubscribersPerTenant)
      throw new DomainError(
        'TooManySubscriptions',
        `This tenant has ${count} subscriptions open here; allowed: ${maxSubscribersPerTenant}`,
        { allowed: String(maxSubscribersPerTenant), limit: maxSubscribersPerTenant, actual: count + 1 },
      );
    this.#countOfTenant.set(tenantId, count + 1);
    this.#subscriberCount++;
    return new Subscriber(host, after, maxFullMs);
  }

  /** Undoes `admit`; once for each. */
  release(tenantId: string): void {
    const count = (this.#countOfTenant.get(tenantId) ?? 0) - 1;
    if (count > 0) this.#countOfTenant.set(tenantId, count);
    else this.#countOfTenant.delete(tenantId);
    this.#subscriberCount--;
  }

  /**
   * From its cursor on, the subscriber receives everything that answers the question.
   * @returns the question as its group has it: equal to the given one, and shared
   */
  join<Asked extends Question<unknown, LiveSource<unknown>>>(subscriber: Subscriber, question: Asked): Asked {
    const known = this.#groups.get(question.key);
    if (known !== undefined) {
      known.group.join(subscriber);
      return known.question as Asked;
    }
    const { key } = question;
    const { metrics } = this.#options;
    const group = new Group({
      open: (after) => question.open(after),
      toError: (error) => question.toError(error),
      onSent: (sentCount, heardAtMs) => {
        metrics.delivered(sentCount);
        if (heardAtMs !== null) metrics.eventAge((performance.now() - heardAtMs) / 1_000);
      },
      onEmpty: () => {
        if (this.#groups.get(key)?.group === group) this.#groups.delete(key);
      },
    });
    this.#groups.set(key, { group, question });
    group.join(subscriber);
    return question;
  }
}
