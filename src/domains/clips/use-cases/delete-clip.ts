import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { findActiveJobsOfSubject } from '../../../db/sql/read/find-active-jobs-of-subject.ts';
import { checkMayChange } from '../../../jobs/check-may-change.ts';
import { deleteSubject } from '../../../jobs/delete-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { type DeletedClipRow, deleteClipRow } from '../sql/delete-clip-row.ts';
import { findClipCreator } from '../sql/find-clip-creator.ts';
import { type ClipToDeleteRow, holdClipToDelete } from '../sql/hold-clip-to-delete.ts';

/**
 * Deletes a clip for all readers at once, and cancels the job that makes it. The leader of the workers then
 * removes its file.
 * @throws DomainError `NotFound` `Forbidden` `Busy` `PreconditionFailed`
 */
export const deleteClip = defineUseCase(
  { name: 'deleteClip', role: 'member', scope: 'videos:write', toDo: 'delete clips' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    clipId: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const subject = { kind: 'clip', id: clipId, creator: findClipCreator, scope: 'videos:write' } as const;
    await checkMayChange(deps, actor, subject, 'delete clips');
    const { tenantId } = actor;
    await deleteSubject(deps, actor, {
      ...subject,
      activeJobs: { statement: findActiveJobsOfSubject, values: [tenantId, 'clip', clipId] },
      isVersioned: ifMatch !== null,
      remove: async (tx) => {
        const held = await tx.query<ClipToDeleteRow>(holdClipToDelete, [tenantId, clipId]);
        if (held.rows[0] === undefined) return null;
        checkVersion(ifMatch, held.rows[0].version);
        const { rows } = await tx.query<DeletedClipRow>(deleteClipRow, [tenantId, clipId]);
        const clip = rows[0];
        return clip === undefined
          ? null
          : {
              ...(clip.call_id === null ? { videoId: clip.video_id } : { callId: clip.call_id }),
              startMs: clip.start_ms,
              endMs: clip.end_ms,
            };
      },
    });
  },
);
