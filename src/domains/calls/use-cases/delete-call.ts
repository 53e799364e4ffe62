import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { checkMayChange } from '../../videos/use-cases/change-media.ts';
import { deleteMedia } from '../../videos/use-cases/delete-media.ts';
import { deleteCallRow } from '../sql/delete-call-row.ts';
import { findActiveJobsOfCall } from '../sql/find-active-jobs-of-call.ts';
import { type CallToDeleteRow, holdCallToDelete } from '../sql/hold-call-to-delete.ts';

/**
 * Deletes a call with its transcript, analyses and artifacts, for all readers at once, and cancels its jobs.
 * The leader of the workers then removes its files.
 * @throws DomainError `NotFound` `Forbidden` `Busy` `PreconditionFailed`
 */
export const deleteCall = defineUseCase(
  { name: 'deleteCall', role: 'member', scope: 'videos:write', toDo: 'delete calls' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    callId: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    await checkMayChange(deps, actor, 'call', callId, 'delete calls');
    const whose = [actor.tenantId, callId];
    await deleteMedia(deps, actor, {
      kind: 'call',
      id: callId,
      activeJobs: { statement: findActiveJobsOfCall, values: whose },
      isVersioned: ifMatch !== null,
      remove: async (tx) => {
        const held = await tx.query<CallToDeleteRow>(holdCallToDelete, whose);
        if (held.rows[0] === undefined) return null;
        checkVersion(ifMatch, held.rows[0].version);
        const { rows } = await tx.query<{ title: string }>(deleteCallRow, whose);
        return rows[0] === undefined ? null : { title: rows[0].title };
      },
    });
  },
);
