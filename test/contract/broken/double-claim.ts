import type { ClaimResult } from '../../../src/core/queue.ts';
import type { PostgresEngine } from '../postgres-engine.ts';

/** Breaks the claim and nothing else: claims that are under way at the same time find the same jobs. */
export function withDoubleClaim(engine: PostgresEngine): PostgresEngine {
  const { queue } = engine;
  let underWay: Promise<ClaimResult> | undefined;
  return {
    ...engine,
    queue: {
      ...queue,
      claim: (request) => {
        underWay ??= queue.claim(request).finally(() => {
          underWay = undefined;
        });
        return underWay;
      },
    },
  };
}
