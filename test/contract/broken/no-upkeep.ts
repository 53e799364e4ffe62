import type { PostgresEngine } from '../postgres-engine.ts';

/** Breaks the upkeep and nothing else: no job becomes ready by itself, and none is deleted. */
export function withoutUpkeep(engine: PostgresEngine): PostgresEngine {
  return {
    ...engine,
    queue: { ...engine.queue, promoteDue: async () => 0, dueForDeletion: async () => [] },
  };
}
