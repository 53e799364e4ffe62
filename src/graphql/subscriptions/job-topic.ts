import type { FeedEvent } from '../../events/change.ts';
import { checkFilter, type JobFilter } from '../../events/filter.ts';
import type { JobSubscription } from '../../events/job-subscription.ts';
import type { GraphqlDeps } from '../context.ts';
import type { Presented, Topic } from '../live/topic.ts';
import { listTopic } from './list-topic.ts';

/**
 * The jobs that a filter selects, as something that many can watch together.
 * @param presenter makes what presents the events of one source; the argument says whether it begins with the
 *   state
 * @throws DomainError `InvalidArgument` for a malformed cursor or filter
 */
export function jobTopic(
  deps: GraphqlDeps,
  filter: JobFilter,
  after: string | null,
  presenter: (isFresh: boolean) => (event: FeedEvent) => Presented,
): Topic<FeedEvent, JobSubscription> {
  const checked = checkFilter(filter);
  const open = (from: string | null) => deps.feed.subscribe(checked, from);
  return listTopic(deps, { name: 'jobs', filter: checked, open, presenter }, after);
}
