import type { Job } from '../core/job.ts';
import type { DomainChange, FinalEffects, NextJob } from '../core/pipelines/pipeline.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { enqueueIn } from './enqueue.ts';
import { isSwitchedOff } from './next-jobs.ts';

/**
 * Applies what a pipeline named, inside the finishing transaction. A next stage that is active already counts
 * as enqueued.
 * @param applyChange applies one change of the domain's; false when its thing is gone
 * @returns what became of the next jobs
 */
export async function applyEffects<Change extends DomainChange>(
  tx: Transaction,
  job: Job,
  effects: FinalEffects<Change>,
  applyChange: (change: Change) => Promise<boolean>,
): Promise<readonly EnqueueResult[]> {
  let isDeleted = false;
  for (const change of effects.changes) isDeleted = !(await applyChange(change)) || isDeleted;
  // What the job is about was deleted: nothing comes after it.
  if (isDeleted) return [];
  try {
    return await enqueueNext(tx, job, effects.next);
  } catch (error) {
    if (effects.ifRefused === undefined || !isSwitchedOff(error)) throw error;
    // The stage itself has ended well, whatever cannot come after it.
    for (const change of effects.ifRefused({ type: error.code, message: error.message }))
      await applyChange(change);
    return [];
  }
}

async function enqueueNext(
  tx: Transaction,
  job: Job,
  next: readonly NextJob[],
): Promise<readonly EnqueueResult[]> {
  const inputOf = ({ definitionKey, payload, dedupeKey }: NextJob): EnqueueInput => ({
    definitionKey,
    payload,
    dedupeKey,
    source: 'system',
    sourceRef: job.id,
    priority: job.priority,
    correlationId: job.correlationId,
    subject: job.subject,
    createdBy: job.createdBy,
  });
  // A job that ends while its tenant is being deleted still ends as it would.
  const put = (inputs: readonly EnqueueInput[]) =>
    enqueueIn(tx, job.tenantId, inputs, { evenDeletedTenants: true });
  const first = await put(next.filter(({ after }) => after === undefined).map(inputOf));
  const dependsOn = first.map(({ id }) => ({ jobId: id }));
  const last = next
    .filter(({ after }) => after !== undefined)
    .map((each) => ({ ...inputOf(each), dependsOn }));
  return [...first, ...(await put(last))];
}
