import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { checkMayChange } from '../../../jobs/check-may-change.ts';
import { deleteSubject } from '../../../jobs/delete-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { deleteVideoRow } from '../sql/delete-video-row.ts';
import { deleteVideoRows } from '../sql/delete-video-rows.ts';
import { findActiveJobsOfVideo } from '../sql/find-active-jobs-of-video.ts';
import { findVideoCreator } from '../sql/find-video-creator.ts';
import { holdVideoToDelete, type VideoToDeleteRow } from '../sql/hold-video-to-delete.ts';

/**
 * Deletes a video with its clips, texts and artifacts, for all readers at once, and cancels its jobs. The
 * leader of the workers then removes its files.
 * @throws DomainError `NotFound` `Forbidden` `Busy` `PreconditionFailed`
 */
export const deleteVideo = defineUseCase(
  { name: 'deleteVideo', role: 'member', scope: 'videos:write', toDo: 'delete videos' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    videoId: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const subject = { kind: 'video', id: videoId, creator: findVideoCreator, scope: 'videos:write' } as const;
    await checkMayChange(deps, actor, subject, 'delete videos');
    const whose = [actor.tenantId, videoId];
    await deleteSubject(deps, actor, {
      ...subject,
      activeJobs: { statement: findActiveJobsOfVideo, values: whose },
      isVersioned: ifMatch !== null,
      remove: async (tx) => {
        const { rows } = await tx.query<VideoToDeleteRow>(holdVideoToDelete, whose);
        const video = rows[0];
        if (video === undefined) return null;
        checkVersion(ifMatch, video.version);
        await tx.query(deleteVideoRows, [...whose, video.original_key]);
        await tx.query(deleteVideoRow, whose);
        return { title: video.title };
      },
    });
  },
);
