import type { Caller } from '../../../access/caller.ts';
import { requireRole } from '../../../access/require-role.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { hasRole } from '../../../core/actor.ts';
import { findActiveJobsOfSubject } from '../../../db/sql/read/find-active-jobs-of-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { deleteMedia } from '../../videos/use-cases/delete-media.ts';
import { type DeletedLinkRow, deleteLinkRow } from '../sql/delete-link-row.ts';
import { findLinkCreator } from '../sql/find-link-creator.ts';

/**
 * Deletes a link with its text and vectors, and cancels its jobs. Members may delete their own.
 * @throws DomainError `NotFound` `Forbidden` `Busy`
 */
export const deleteLink = defineUseCase(
  { name: 'deleteLink', role: 'member', scope: 'jobs:write', toDo: 'delete links' },
  async (deps: Pick<JobsDeps, 'db' | 'queue'>, actor: Caller, linkId: string): Promise<void> => {
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
      remove: async (tx) => {
        const { rows } = await tx.query<DeletedLinkRow>(deleteLinkRow, [tenantId, linkId]);
        // The URL may hold a secret of its query: the host says enough.
        return rows[0] === undefined ? null : { host: new URL(rows[0].url).host };
      },
    });
  },
);
