import type { PostgresEngine } from '../postgres-engine.ts';

/**
 * Breaks the fence and nothing else: a run that has lost its job settles it under whatever lease it has now.
 */
export function withoutFence(engine: PostgresEngine): PostgresEngine {
  const { queue } = engine;
  return {
    ...engine,
    queue: {
      ...queue,
      finish: async (claimed, finish, measure) => {
        const result = await queue.finish(claimed, finish, measure);
        const lease = result === 'notOwner' ? await engine.currentLease(claimed.lease.jobId) : null;
        return lease === null ? result : queue.finish({ ...claimed, lease }, finish, measure);
      },
    },
  };
}
