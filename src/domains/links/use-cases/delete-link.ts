import type { Caller } from '../../../access/caller.ts';
import { requireRole } from '../../../access/require-role.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { hasRole } from '../../../core/actor.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { findActiveJobsOfSubject } from '../../../db/sql/read/find-active-jobs-of-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { deleteMedia } from '../../videos/use-cases/delete-media.ts';
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
    if (!hasRole(actor.role, 'tenant_admin')) {
      const { rows } = await deps.db.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
        tx.query<{ created_by: string | null }>(findLinkCreator, [tenantId, linkId]),
      );
      if (rows[0] === undefined) throw notFound('link', linkId);
      if (rows[0].created_by !== actor.name)
        requireRole(actor, 'tenant_admin', 'delete links that others made', 'jobs:write');
    }
    await deleteMedia(deps, actor, {
      kind: 'link',
      id: linkId,
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
