import { isOfJob } from '../../../events/change.ts';
import { EntitySubscription } from '../../../events/entity-subscription.ts';
import type { SubscriptionHost } from '../../../events/feed-subscriber.ts';

/** That a clip, the job that makes it or that job's progress changed: look at it again. */
export interface ClipEvent {
  readonly kind: 'clip';
  readonly tenantId: string;
  readonly clipId: string;
}

/** One clip's stream. */
export class ClipSubscription extends EntitySubscription<ClipEvent> {
  constructor(host: SubscriptionHost, tenantId: string, clipId: string) {
    super(host, tenantId, { kind: 'clip', tenantId, clipId }, (change) => {
      if (!isOfJob(change)) return 'clipId' in change && change.clipId === clipId;
      return change.subject?.type === 'clip' && change.subject.id === clipId;
    });
  }
}
