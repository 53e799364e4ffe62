import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { checkMayChange } from '../../../jobs/check-may-change.ts';
import { deleteSubject } from '../../../jobs/delete-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { type DeletedCallRow, deleteCallRow } from '../sql/delete-call-row.ts';
import { findActiveJobsOfCall } from '../sql/find-active-jobs-of-call.ts';
import { findCallCreator } from '../sql/find-call-creator.ts';
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
    const subject = { kind: 'call', id: callId, creator: findCallCreator, scope: 'videos:write' } as const;
    await checkMayChange(deps, actor, subject, 'delete calls');
    const whose = [actor.tenantId, callId];
    await deleteSubject(deps, actor, {
      ...subject,
      activeJobs: { statement: findActiveJobsOfCall, values: whose },
      isVersioned: ifMatch !== null,
      remove: async (tx) => {
        const held = await tx.query<CallToDeleteRow>(holdCallToDelete, whose);
        if (held.rows[0] === undefined) return null;
        checkVersion(ifMatch, held.rows[0].version);
        const { rows } = await tx.query<DeletedCallRow>(deleteCallRow, whose);
        return rows[0] === undefined ? null : { title: rows[0].title };
      },
    });
  },
);
