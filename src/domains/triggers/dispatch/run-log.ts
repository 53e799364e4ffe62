import type { Transaction } from '../../../db/database.ts';
import { insertTriggerRuns } from '../sql/insert-trigger-runs.ts';

export const RUN_OUTCOMES = [
  'enqueued',
  'duplicate',
  'disabled',
  'condition_false',
  'template_error',
  'payload_refused',
  'definition_inactive',
  'still_active',
  'missed',
  'chain_too_deep',
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** What became of one tick, or of one event at one trigger. */
export interface TriggerRun {
  readonly tenantId: string;
  readonly triggerId: string;
  readonly eventId: string | null;
  readonly scheduledAt: Date | null;
  readonly outcome: RunOutcome;
  readonly jobId: string | null;
  readonly reason: string | null;
}

/** Writes them in one statement. */
export async function writeRuns(tx: Transaction, runs: readonly TriggerRun[]): Promise<void> {
  if (runs.length === 0) return;
  await tx.query(insertTriggerRuns, [
    runs.map((run) => run.tenantId),
    runs.map((run) => run.triggerId),
    runs.map((run) => run.eventId),
    runs.map((run) => run.scheduledAt),
    runs.map((run) => run.outcome),
    runs.map((run) => run.jobId),
    runs.map((run) => run.reason),
  ]);
}
