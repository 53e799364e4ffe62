import type { Actor } from '../core/actor.ts';
import { cleanText } from '../core/clean-text.ts';
import { DomainError } from '../core/errors.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';
import { checkMayOperate } from './operate-job.ts';

const MAX_REASON_LENGTH = 1000;

/**
 * Cancels a queued job at once; asks a running one to stop, which its worker hears within a second.
 * @returns `canceled` or, for a running one, `requested`
 * @throws DomainError `NotFound` `Forbidden` `WrongState` `InvalidArgument`
 */
export async function cancelJob(
  deps: Pick<JobsDeps, 'db' | 'queue'>,
  actor: Actor,
  jobId: string,
  reason: string | null,
): Promise<'canceled' | 'requested'> {
  if (reason !== null && (reason.length === 0 || reason.length > MAX_REASON_LENGTH)) {
    const allowed = `1 to ${MAX_REASON_LENGTH} characters`;
    throw new DomainError('InvalidArgument', `Reason of ${reason.length} characters; allowed: ${allowed}.`, {
      field: 'reason',
      allowed,
    });
  }
  await checkMayOperate(deps, actor, jobId, 'cancel jobs');
  const result = await deps.queue.cancel(
    actor.tenantId,
    jobId,
    actor.name,
    reason === null ? null : cleanText(reason),
  );
  if (result.kind === 'notFound') throw notFound('job', jobId);
  if (result.kind === 'wrongState') {
    throw new DomainError('WrongState', `Job ${jobId} is ${result.status} already; it cannot be canceled.`, {
      field: 'id',
      allowed: 'queued, running',
      status: result.status,
    });
  }
  return result.kind;
}
