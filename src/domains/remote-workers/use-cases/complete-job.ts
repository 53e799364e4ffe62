import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { done, skipped } from '../../../core/outcome.ts';
import type { Lease } from '../../../core/queue.ts';
import { checkStorableJson } from '../../../core/storable-json.ts';
import { checkArtifacts, type RemoteArtifact } from './check-artifacts.ts';
import { checkNextJobs, type RemoteNextJob } from './check-next-jobs.ts';
import type { RemoteDeps } from './deps.ts';
import { endReturned, type RunEnd } from './end-run.ts';
import { checkLease, tenantServedBy } from './lease.ts';

const MAX_REASON_CHARACTERS = 1_000;

export interface Completion {
  readonly result?: unknown;
  /** There was nothing to do, and why; counts as success. Not with artifacts or next jobs. */
  readonly skippedReason?: string | null | undefined;
  readonly artifacts?: readonly RemoteArtifact[] | null | undefined;
  readonly next?: readonly RemoteNextJob[] | null | undefined;
}

/**
 * Ends a run as done: its result, files and next jobs are written in one transaction, or none of them. Wins
 * over a cancel that was asked meanwhile.
 * @throws DomainError `Forbidden` `InvalidArgument` `InvalidPayload` `UnknownDefinition` `PayloadTooLarge`
 *   `LostLease` `ObjectNotFound`
 */
export const completeJob = defineUseCase(
  { name: 'completeJob', role: 'worker', scope: 'jobs:write', toDo: 'complete jobs', cost: 2 },
  async (deps: RemoteDeps, actor: Caller, given: Lease, completion: Completion): Promise<RunEnd> => {
    const run = await deps.remote.holding(checkLease(given), tenantServedBy(actor));
    const { result = null, skippedReason, artifacts, next } = completion;
    checkStorableJson('result', result);
    checkFilterText('skippedReason', skippedReason, MAX_REASON_CHARACTERS);
    if (skippedReason != null) return endReturned(deps, run, skipped(skippedReason, result));
    const files = await checkArtifacts(deps, run.job, artifacts ?? []);
    const following = await checkNextJobs(deps, actor, run.job.tenantId, next ?? []);
    return endReturned(deps, run, done(result, { artifacts: files, next: following }));
  },
);
