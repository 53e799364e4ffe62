import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { findActiveJobsOfSubject } from '../../../db/sql/read/find-active-jobs-of-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { checkMayChange } from '../../videos/use-cases/change-media.ts';
import { deleteMedia } from '../../videos/use-cases/delete-media.ts';
import { type DeletedClipRow, deleteClipRow } from '../sql/delete-clip-row.ts';

/**
 * Deletes a clip for all readers at once, and cancels the job that makes it. The leader of the workers then removes its file.
 * @throws DomainError `NotFound` `Forbidden` `Busy`
 */
export const deleteClip = defineUseCase(
  { name: 'deleteClip', role: 'member', scope: 'videos:write', toDo: 'delete clips' },
  async (deps: Pick<JobsDeps, 'db' | 'queue'>, actor: Caller, clipId: string): Promise<void> => {
    await checkMayChange(deps, actor, 'clip', clipId, 'delete clips');
    const { tenantId } = actor;
    await deleteMedia(deps, actor, {
      kind: 'clip',
      id: clipId,
      activeJobs: { statement: findActiveJobsOfSubject, values: [tenantId, 'clip', clipId] },
      remove: async (tx) => {
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
