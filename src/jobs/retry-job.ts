import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { busy } from './busy.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';
import { checkMayOperate } from './operate-job.ts';

/**
 * Puts a job that is failed, dead_letter or canceled back into the queue, with a fresh budget.
 * @throws DomainError `NotFound` `Forbidden` `WrongState` `StillRunning` `ActiveDuplicate` (with
 *   `details.jobId`) `Busy`
 */
export const retryJob = defineUseCase(
  { name: 'retryJob', role: 'member', scope: 'jobs:write', toDo: 'retry jobs' },
  async (deps: Pick<JobsDeps, 'db' | 'queue'>, actor: Caller, jobId: string): Promise<void> => {
    await checkMayOperate(deps, actor, jobId, 'retry jobs');
    const result = await deps.queue.retry(actor.tenantId, jobId, actor.name);
    const retryable = ['failed', 'dead_letter', 'canceled'];
    const allowed = retryable.join(', ');
    switch (result.kind) {
      case 'queued':
        return;
      case 'notFound':
        throw notFound('job', jobId);
      case 'busy':
        throw busy(`job ${jobId}`);
      case 'stillRunning':
        throw new DomainError('StillRunning', `Job ${jobId} is still running; cancel it first.`, {
          field: 'id',
          allowed,
          enumWords: retryable,
        });
      case 'activeDuplicate':
        throw new DomainError('ActiveDuplicate', `Job ${result.jobId} with the same dedupe key is active.`, {
          field: 'id',
          jobId: result.jobId,
        });
      case 'wrongState':
        throw new DomainError('WrongState', `Job ${jobId} is ${result.status}; it cannot be retried.`, {
          field: 'id',
          allowed,
          enumWords: [...retryable, result.status],
          status: result.status,
        });
    }
  },
);
