import type { FeedEvent } from '../../events/change.ts';
import { decodeCursor, FRESH_CURSOR } from '../../events/cursor.ts';
import { checkFilter, type JobFilter } from '../../events/filter.ts';
import type { JobSubscription } from '../../events/job-subscription.ts';
import type { GraphqlDeps } from '../context.ts';
import { type Presented, Topic } from '../live/topic.ts';
import { isOfTenant } from './same-tenant.ts';

/**
 * The jobs that a filter selects, as something that many can watch together.
 * @param presenter makes what presents the events of one source; told whether it begins with the state
 * @throws DomainError `InvalidArgument` for a malformed cursor or filter
 */
export function jobTopic(
  deps: GraphqlDeps,
  filter: JobFilter,
  after: string | null,
  presenter: (isFresh: boolean) => (event: FeedEvent) => Presented,
): Topic<FeedEvent, JobSubscription> {
  const checked = checkFilter(filter);
  const start = after === null || decodeCursor(after) === null ? null : after;
  return new Topic(JSON.stringify(checked), start, (from) => {
    const present = presenter(from === null);
    return {
      source: deps.feed.subscribe(checked, from),
      present: (event) => (isOfTenant(event, checked.tenantId, deps) ? present(event) : null),
      cursorOf: ({ cursor }) => (cursor === FRESH_CURSOR ? null : cursor),
      // A state is not read from its middle, and that it must be forgotten must not be missed.
      isKept: ({ cursor }) => cursor === null || cursor === FRESH_CURSOR,
    };
  });
}
