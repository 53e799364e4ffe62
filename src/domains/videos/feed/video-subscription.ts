import { isOfJob } from '../../../events/change.ts';
import { EntitySubscription } from '../../../events/entity-subscription.ts';
import type { SubscriptionHost } from '../../../events/feed-subscriber.ts';

/** That a video, a clip of it, a job about it or that job's progress changed: look at it again. */
export interface VideoEvent {
  readonly kind: 'video';
  readonly tenantId: string;
  readonly videoId: string;
}

/** One video's stream. */
export class VideoSubscription extends EntitySubscription<VideoEvent> {
  constructor(host: SubscriptionHost, tenantId: string, videoId: string) {
    super(host, tenantId, { kind: 'video', tenantId, videoId }, (change) =>
      !isOfJob(change)
        ? change.videoId === videoId
        : change.subject?.type === 'video' && change.subject.id === videoId,
    );
  }
}
