import type { Finish } from '../../src/core/queue.ts';
import type { RunOutcome } from '../../src/telemetry/worker-metrics.ts';

/** How a run is counted; null is one of which nothing was written. */
export function outcomeOf(finish: Finish | null): RunOutcome {
  if (finish === null) return 'lost';
  if (finish.kind === 'final') return finish.settlement.status;
  return finish.kind === 'handBack' ? 'handed_back' : finish.kind;
}
