import { decodeCursor, FRESH_CURSOR } from '../../events/cursor.ts';
import type { ListName } from '../../events/list-kind.ts';
import type { LiveSource } from '../../events/live-source.ts';
import type { GraphqlDeps } from '../context.ts';
import { type Presented, Topic } from '../live/topic.ts';
import { isOfTenant } from './same-tenant.ts';

interface ListedEvent {
  readonly kind: string;
  readonly change?: { readonly tenantId: string };
  readonly cursor: string | null;
}

interface List<Event, Source> {
  readonly name: ListName;
  /** Checked, with its defaults: equal for all who ask for the same. */
  readonly filter: { readonly tenantId: string };
  readonly open: (after: string | null) => Source;
  /** Makes what presents the events of one source; the argument says whether it begins with the state. */
  readonly presenter: (isFresh: boolean) => (event: Event) => Presented;
}

/**
 * What a filter selects, as something that many can watch together.
 * @throws DomainError `InvalidArgument` for a malformed cursor
 */
export function listTopic<Event extends ListedEvent, Source extends LiveSource<Event>>(
  deps: GraphqlDeps,
  { name, filter, open, presenter }: List<Event, Source>,
  after: string | null,
): Topic<Event, Source> {
  const start = after === null || decodeCursor(after, name) === null ? null : after;
  return new Topic(`${name} ${JSON.stringify(filter)}`, start, (from) => {
    const present = presenter(from === null);
    return {
      source: open(from),
      present: (event) => (isOfTenant(event, filter.tenantId, deps) ? present(event) : null),
      cursorOf: ({ cursor }) => (cursor === FRESH_CURSOR ? null : cursor),
      // A state is not read from its middle, and that it must be forgotten must not be missed.
      isKept: ({ cursor }) => cursor === null || cursor === FRESH_CURSOR,
    };
  });
}
