import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import type { JobMetadata } from '../core/job.ts';
import type { VersionMatch } from '../core/version-match.ts';
import { checkLabels } from '../payloads/job-labels.ts';
import { busy } from './busy.ts';
import type { JobsDeps } from './deps.ts';
import { notFound } from './not-found.ts';
import { checkMayOperate } from './operate-job.ts';

const MAX_PRIORITY = 1_000_000;
const FAR_FUTURE = '2200-01-01T00:00:00Z';

/** What to change of a job; null and absent leave it. Priority and time only of a queued one. */
export interface UpdateJobRequest {
  readonly priority?: number | null | undefined;
  /** A past time is taken as now. */
  readonly scheduledFor?: Date | null | undefined;
  /** Instead of those that it has; empty removes them. */
  readonly tags?: readonly string[] | null | undefined;
  /** Instead of what it has, as a whole; `{}` removes it. */
  readonly metadata?: unknown;
}

/**
 * Changes when a job runs, as long as it is queued, or what its callers attached to it, in whatever state it
 * is.
 * @throws DomainError `NotFound` `Forbidden` `WrongState` (with `details.status`) `InvalidArgument` `Busy`
 *   `PreconditionFailed`
 */
export const updateJob = defineUseCase(
  { name: 'updateJob', role: 'member', scope: 'jobs:write', toDo: 'change jobs' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    jobId: string,
    request: UpdateJobRequest,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const { priority = null, scheduledFor = null, tags = null } = request;
    const metadata = (request.metadata ?? null) as JobMetadata | null;
    if (tags === null && metadata === null) checkAny(priority, scheduledFor);
    check(priority, scheduledFor);
    checkLabels({ tags, metadata });
    await checkMayOperate(deps, actor, jobId, 'change jobs');
    const { tenantId, name: by } = actor;
    const change = { priority, scheduledFor, tags, metadata };
    const result = await deps.queue.update({ tenantId, jobId, by, ...change, ifMatch });
    switch (result.kind) {
      case 'updated':
        return;
      case 'notFound':
        throw notFound('job', jobId);
      case 'busy':
        throw busy(`job ${jobId}`);
      case 'wrongState':
        throw new DomainError(
          'WrongState',
          `Job ${jobId} is ${result.status}; priority and scheduledFor are changed only of a queued one.`,
          {
            field: 'id',
            allowed: 'queued',
            enumWords: ['queued', result.status],
            status: result.status,
          },
        );
    }
  },
);

function checkAny(priority: number | null, scheduledFor: Date | null): void {
  if (priority === null && scheduledFor === null)
    throw refused('input', 'without priority, scheduledFor, tags and metadata', 'at least one of them');
}

function check(priority: number | null, scheduledFor: Date | null): void {
  if (priority !== null && !(Number.isInteger(priority) && priority >= 0 && priority <= MAX_PRIORITY))
    throw refused('priority', String(priority), `0 to ${MAX_PRIORITY}`);
  if (scheduledFor !== null && !(scheduledFor.getTime() < Date.parse(FAR_FUTURE)))
    throw refused('scheduledFor', scheduledFor.toISOString(), `a time before ${FAR_FUTURE}`);
}

function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}.`, { field, allowed });
}
