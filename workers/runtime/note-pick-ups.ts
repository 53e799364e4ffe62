import type { ClaimedJob } from '../../src/core/queue.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';

/** Notes for each claimed job how long after its time it was claimed. */
export function notePickUps(jobs: readonly ClaimedJob[], metrics: WorkerMetrics): void {
  for (const { definitionKey, job } of jobs)
    if (job.claimedAt !== null)
      metrics.pickedUp(definitionKey, (job.claimedAt.getTime() - job.scheduledFor.getTime()) / 1_000);
}
