import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { busy } from './busy.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';
import { checkMayOperate } from './operate-job.ts';
import { checkReason } from './reason.ts';

/**
 * Cancels a queued job at once; asks a running one to stop, which its worker hears within a second.
 * @returns `canceled` or, for a running one, `requested`
 * @throws DomainError `NotFound` `Forbidden` `WrongState` `InvalidArgument` `Busy`
 */
export const cancelJob = defineUseCase(
  { name: 'cancelJob', role: 'member', scope: 'jobs:write', toDo: 'cancel jobs' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    jobId: string,
    reason: string | null,
  ): Promise<'canceled' | 'requested'> => {
    const said = checkReason(reason);
    await checkMayOperate(deps, actor, jobId, 'cancel jobs');
    const result = await deps.queue.cancel(actor.tenantId, jobId, actor.name, said);
    switch (result.kind) {
      case 'canceled':
      case 'requested':
        return result.kind;
      case 'notFound':
        throw notFound('job', jobId);
      case 'busy':
        throw busy(`job ${jobId}`);
      case 'wrongState':
        throw new DomainError(
          'WrongState',
          `Job ${jobId} is ${result.status} already; there is nothing to cancel.`,
          {
            field: 'id',
            allowed: 'queued, running',
            enumWords: ['queued', 'running', result.status],
            status: result.status,
          },
        );
    }
  },
);
