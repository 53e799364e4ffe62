import { isOfJob } from '../../../events/change.ts';
import type { Home } from '../../../events/member.ts';
import { WholeSubscription } from '../../../events/whole-subscription.ts';

/** That a video, a clip of it, a job about it or that job's progress changed: look at it again. */
export interface VideoEvent {
  readonly kind: 'video';
  readonly tenantId: string;
  readonly videoId: string;
}

/** One video's stream. */
export class VideoSubscription extends WholeSubscription<VideoEvent> {
  constructor(home: Home, tenantId: string, videoId: string) {
    super(home, tenantId, { kind: 'video', tenantId, videoId }, (change) =>
      !isOfJob(change)
        ? change.videoId === videoId
        : change.subject?.type === 'video' && change.subject.id === videoId,
    );
  }
}
