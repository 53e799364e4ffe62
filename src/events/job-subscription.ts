import type { FeedEvent } from './change.ts';
import type { CursorTarget } from './cursor.ts';
import type { SubscriptionHost } from './feed-subscriber.ts';
import type { CheckedFilter } from './filter.ts';
import { type JobTrace, jobList } from './job-list.ts';
import { ListSubscription } from './list-subscription.ts';

export interface JobSubscriptionOptions {
  readonly host: SubscriptionHost;
  readonly filter: CheckedFilter;
  /** Where to go on; null starts with the initial state. */
  readonly after: CursorTarget | null;
  /** Jobs that may wait to be taken; with more, all are dropped and read again once the consumer is ready. */
  readonly maxPending: number;
  readonly pageSize: number;
}

/** One subscriber's stream of jobs. */
export class JobSubscription extends ListSubscription<JobTrace, FeedEvent> {
  constructor({ host, filter, ...rest }: JobSubscriptionOptions) {
    super({ host, kind: jobList(filter, host.states), ...rest });
  }
}
