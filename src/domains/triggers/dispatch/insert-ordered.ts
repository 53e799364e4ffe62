import type { CheckedJob, CheckedJobResult } from '../../../core/producer-queue.ts';
import type { Transaction } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { RunOutcome } from './run-log.ts';
import type { NoJob } from './trigger-job.ts';

/** What became of one order. */
export interface Placed {
  readonly outcome: RunOutcome;
  readonly jobId: string | null;
  readonly reason: string | null;
}

/**
 * A definition has changed since the payloads were checked: nothing is written, and the batch is to be done
 * again.
 */
export class DefinitionChanged extends Error {}

/**
 * Inserts the jobs of a batch in one statement of the batch's transaction, and wakes those who wait for work
 * with its commit.
 * @returns one result an order, in order
 * @throws DefinitionChanged
 */
export async function insertOrdered(
  { queue }: { readonly queue: Pick<JobsDeps['queue'], 'enqueueCheckedIn'> },
  tx: Transaction,
  orders: readonly (CheckedJob | NoJob)[],
): Promise<readonly Placed[]> {
  const jobs = orders.filter((order): order is CheckedJob => !isNoJob(order));
  const written = jobs.length === 0 ? [] : await queue.enqueueCheckedIn(tx, jobs);
  const outcomes = written.values();
  return orders.map((order) =>
    isNoJob(order) ? { ...order, jobId: null } : placed(outcomes.next().value as CheckedJobResult),
  );
}

function isNoJob(order: CheckedJob | NoJob): order is NoJob {
  return 'outcome' in order;
}

function placed(outcome: CheckedJobResult): Placed {
  switch (outcome.kind) {
    case 'created':
      return { outcome: 'enqueued', jobId: outcome.id, reason: null };
    case 'existing':
      return {
        outcome: 'duplicate',
        jobId: outcome.id,
        reason: 'A job with the same payload was enqueued within the window.',
      };
    case 'rival':
      return { outcome: 'duplicate', jobId: null, reason: 'A job with the same payload is active.' };
    case 'stale':
      throw new DefinitionChanged('A job definition has changed');
    case 'refused':
      return {
        outcome: outcome.error.code === 'DefinitionInactive' ? 'definition_inactive' : 'payload_refused',
        jobId: null,
        reason: outcome.error.message.slice(0, 2_000),
      };
  }
}
