import type { LabeledJob } from '../core/job.ts';
import type { ProducerQueue } from '../core/producer-queue.ts';
import type { EnqueueInput } from '../core/queue.ts';
import { checkWait, type JobWaiter, type WaitOptions } from './job-waiter.ts';

/**
 * Enqueues a job and waits until it has ended: for callers within the process. With a dedupe key that is
 * active already it waits for the job that has it.
 * @returns the job as it ended: `status`, `result`, `lastError`, `reason`; a job that failed does not throw
 * @throws DomainError what `enqueue` throws; `WaitTimeout` when it has not ended in time: `details.jobId`,
 *   and the job goes on; the signal's reason when that is aborted, before the enqueue if it was aborted by
 *   then
 */
export async function enqueueAndWait(
  queue: Pick<ProducerQueue, 'enqueue'>,
  waiter: JobWaiter,
  tenantId: string,
  input: EnqueueInput,
  options: WaitOptions,
): Promise<LabeledJob> {
  checkWait(options);
  const [result] = await queue.enqueue(tenantId, [input]);
  if (result === undefined) throw new Error('The queue gave no result for the job.');
  return waiter.wait(result.id, options);
}
