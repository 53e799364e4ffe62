import type { PostgresEngine } from '../postgres-engine.ts';

/** Breaks the visibility timeout and nothing else: a job whose worker has vanished stays with it. */
export function withoutVisibilityTimeout(engine: PostgresEngine): PostgresEngine {
  return { ...engine, queue: { ...engine.queue, rescue: async () => [] } };
}
