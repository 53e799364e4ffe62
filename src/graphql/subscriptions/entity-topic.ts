import type { LiveSource } from '../../events/live-source.ts';
import { Topic } from '../live/topic.ts';

/**
 * A topic of which each event is the whole: there is no cursor, and a client that comes back is sent the
 * newest. It ends with null, when the entity was deleted.
 */
export function entityTopic<Event, Source extends LiveSource<Event>>(
  key: string,
  open: () => Source,
): Topic<Event, Source> {
  return new Topic(key, null, () => ({
    source: open(),
    present: (event) => ({ value: event, isLastIfNull: true }),
    cursorOf: () => null,
    isKept: () => false,
  }));
}
