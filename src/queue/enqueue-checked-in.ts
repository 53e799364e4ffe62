import { DomainError } from '../core/errors.ts';
import type { CheckedJob, CheckedJobResult } from '../core/producer-queue.ts';
import type { Transaction } from '../db/database.ts';
import { newJob } from './enqueue.ts';
import { insertRows } from './insert-rows.ts';
import type { NewJob, Outcome } from './new-jobs.ts';
import { READY_CHANNELS } from './notifications.ts';

type Refused = Extract<Outcome, { kind: 'refused' }>;

/**
 * Inserts jobs of any tenants in one statement of the caller's transaction, and wakes those who wait for work
 * with its commit.
 * @param maxPayloadBytes a job whose payload is larger is refused
 * @returns one result a job, in order
 */
export async function enqueueCheckedIn(
  tx: Transaction,
  jobs: readonly CheckedJob[],
  maxPayloadBytes: number,
): Promise<readonly CheckedJobResult[]> {
  const asked = jobs.map((job) => newJobOrRefused(job, maxPayloadBytes));
  const good = asked.filter((job): job is NewJob => !isRefused(job));
  if (good.length === 0) return asked.filter(isRefused);
  const written = await insertRows((statement, values) => tx.query(statement, values), good, {
    evenDeletedTenants: false,
    notifying: READY_CHANNELS,
  });
  const outcomes = written.values();
  return asked.map((job) => (isRefused(job) ? job : (outcomes.next().value as Outcome)));
}

function newJobOrRefused(
  { tenantId, input, revision }: CheckedJob,
  maxPayloadBytes: number,
): NewJob | Refused {
  try {
    return newJob(tenantId, input, revision, maxPayloadBytes);
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'refused', error };
    throw error;
  }
}

function isRefused(job: NewJob | Refused): job is Refused {
  return 'kind' in job;
}
