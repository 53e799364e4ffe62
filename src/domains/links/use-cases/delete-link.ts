import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { findActiveJobsOfSubject } from '../../../db/sql/read/find-active-jobs-of-subject.ts';
import { checkMayChange } from '../../../jobs/check-may-change.ts';
import { deleteSubject } from '../../../jobs/delete-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { type DeletedLinkRow, deleteLinkRow } from '../sql/delete-link-row.ts';
import { findLinkCreator } from '../sql/find-link-creator.ts';
import { holdLinkToDelete, type LinkToDeleteRow } from '../sql/hold-link-to-delete.ts';

/**
 * Deletes a link with its text and vectors, and cancels its jobs. Members may delete their own.
 * @throws DomainError `NotFound` `Forbidden` `Busy` `PreconditionFailed`
 */
export const deleteLink = defineUseCase(
  { name: 'deleteLink', role: 'member', scope: 'jobs:write', toDo: 'delete links' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    linkId: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const { tenantId } = actor;
    const subject = { kind: 'link', id: linkId, creator: findLinkCreator, scope: 'jobs:write' } as const;
    await checkMayChange(deps, actor, subject, 'delete links');
    await deleteSubject(deps, actor, {
      ...subject,
      activeJobs: { statement: findActiveJobsOfSubject, values: [tenantId, 'link', linkId] },
      isVersioned: ifMatch !== null,
      remove: async (tx) => {
        const held = await tx.query<LinkToDeleteRow>(holdLinkToDelete, [tenantId, linkId]);
        if (held.rows[0] === undefined) return null;
        checkVersion(ifMatch, held.rows[0].version);
        const { rows } = await tx.query<DeletedLinkRow>(deleteLinkRow, [tenantId, linkId]);
        // The URL may hold a secret of its query: the host says enough.
        return rows[0] === undefined ? null : { host: new URL(rows[0].url).host };
      },
    });
  },
);
