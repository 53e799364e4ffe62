import { isOfJob } from '../../../events/change.ts';
import type { Home } from '../../../events/member.ts';
import { WholeSubscription } from '../../../events/whole-subscription.ts';

/** That a clip, the job that makes it or that job's progress changed: look at it again. */
export interface ClipEvent {
  readonly kind: 'clip';
  readonly tenantId: string;
  readonly clipId: string;
}

/** One clip's stream. */
export class ClipSubscription extends WholeSubscription<ClipEvent> {
  constructor(home: Home, tenantId: string, clipId: string) {
    super(home, tenantId, { kind: 'clip', tenantId, clipId }, (change) => {
      if (!isOfJob(change)) return 'clipId' in change && change.clipId === clipId;
      return change.subject?.type === 'clip' && change.subject.id === clipId;
    });
  }
}
