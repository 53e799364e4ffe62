/** What a queued job waits for. */
export const WAIT_REASONS = [
  'time',
  'dependency',
  'limit',
  'rate',
  'paused',
  'no_worker',
  'turn',
  'expired',
  'doomed',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The first thing that keeps a queued job from being started, in words. */
export interface WaitingFor {
  readonly reason: WaitReason;
  readonly message: string;
  /** When that ends, where it can be said. */
  readonly until: Date | null;
}

/** What is known of the obstacle. */
export interface Obstacle {
  readonly reason: WaitReason;
  /** Whose pause, limit or rate it is; `archived`: its definition is, which is a pause without an end. */
  readonly scope: 'definition' | 'tenant' | 'lane' | 'archived' | null;
  /** The limit's jobs, the rate's starts, or the jobs that are waited for. */
  readonly allowed: number | null;
  readonly periodSeconds: number | null;
  readonly until: Date | null;
}

/**
 * Says in words what a queued job waits for; of limits that tenants share only that they are reached. Pure.
 */
export function explainWait(obstacle: Obstacle): WaitingFor {
  return { reason: obstacle.reason, message: messageOf(obstacle), until: obstacle.until };
}

function messageOf({ reason, scope, allowed, periodSeconds, until }: Obstacle): string {
  switch (reason) {
    case 'time':
      return `It is not to start before ${until?.toISOString() ?? 'its time'}.`;
    case 'dependency':
      return allowed === 1
        ? 'A job that it depends on has not ended.'
        : `${allowed} jobs that it depends on have not ended.`;
    case 'limit':
      return `${WHOSE[scope ?? 'lane']} at the limit of ${allowed} running ${allowed === 1 ? 'job' : 'jobs'}.`;
    case 'rate':
      return `${WHOSE[scope ?? 'lane']} at the rate of ${allowed} ${allowed === 1 ? 'start' : 'starts'} in ${periodSeconds} s.`;
    case 'paused':
      return PAUSED[scope ?? 'tenant'];
    case 'no_worker':
      return 'No running worker knows its definition.';
    case 'turn':
      return 'It is ready, and waits for its turn and a free worker.';
    case 'expired':
      return 'It was not started in time, and is about to be canceled.';
    case 'doomed':
      return 'It is about to be canceled.';
  }
}

const PAUSED = {
  archived: 'Its definition is archived: restore that, or cancel the job.',
  definition: 'Its definition is paused.',
  tenant: 'Its tenant is paused.',
  lane: 'Its tenant is paused.',
} as const;

const WHOSE = {
  archived: 'Its definition is',
  definition: 'Its definition is',
  tenant: 'Its tenant is',
  lane: 'Its definition is, within its tenant,',
} as const;
