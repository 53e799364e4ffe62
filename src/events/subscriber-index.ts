import { type Change, isOfJob } from './change.ts';
import type { FeedSubscriber } from './feed-subscriber.ts';

/**
 * Members by what can matter to them. Ten thousand pages that each watch one job must not cost ten thousand
 * looks at every change of the tenant.
 */
export class MemberIndex {
  /** Members that watch named jobs, by job. */
  readonly #ofJob = new Map<string, Set<FeedSubscriber>>();
  /** All others, by tenant. */
  readonly #ofTenant = new Map<string, Set<FeedSubscriber>>();

  add(subscriber: FeedSubscriber): void {
    for (const [map, key] of this.#places(subscriber)) {
      const members = map.get(key);
      if (members === undefined) map.set(key, new Set([subscriber]));
      else members.add(subscriber);
    }
  }

  delete(subscriber: FeedSubscriber): void {
    for (const [map, key] of this.#places(subscriber)) {
      const members = map.get(key);
      if (members?.delete(subscriber) === true && members.size === 0) map.delete(key);
    }
  }

  /**
   * Calls `dispatch` with each subscriber of the change's tenant that it may matter to; it may delete the
   * subscriber.
   */
  dispatch(change: Change, dispatch: (subscriber: FeedSubscriber) => void): void {
    // A Set's iteration allows deletions.
    for (const subscriber of this.#ofTenant.get(change.tenantId) ?? []) dispatch(subscriber);
    if (!isOfJob(change)) return;
    for (const subscriber of this.#ofJob.get(change.jobId) ?? []) {
      if (subscriber.tenantId === change.tenantId) dispatch(subscriber);
    }
  }

  all(): Set<FeedSubscriber> {
    return new Set([...this.#ofJob.values(), ...this.#ofTenant.values()].flatMap((members) => [...members]));
  }

  #places({ jobIds, tenantId }: FeedSubscriber): [Map<string, Set<FeedSubscriber>>, string][] {
    if (jobIds === null) return [[this.#ofTenant, tenantId]];
    return jobIds.map((jobId) => [this.#ofJob, jobId]);
  }
}
