import DataLoader from 'dataloader';
import { reachesVideo } from '../../../core/reach.ts';
import type { JobProgressRow, JobRow, VideoRow } from '../../../db/prisma.ts';
import { type JobOfSubjectRow, newestJobsOfSubjects } from '../../../db/sql/read/newest-jobs-of-subjects.ts';
import { stageProgressOfSubjects } from '../../../db/sql/read/stage-progress-of-subjects.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { inOrder, rowsById } from '../../../graphql/loaders.ts';
import { fetchOriginal } from '../definitions/fetch-original.ts';
import { VIDEO_STAGES } from '../pipeline/video.ts';
import { type VideoPipeline, videoPipeline } from '../pipeline/video-pipeline.ts';
import { type StageJobRow, stageJobsOfVideos } from '../sql/stage-jobs-of-videos.ts';

export const videoLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<VideoRow>(
    reads,
    (prisma, ids) => prisma.video.findMany({ where: { tenantId, id: { in: ids } } }),
    (row) => reachesVideo(reach, row),
  ),
);

/** The newest 20 jobs about a video, by its id. */
export const jobsOfVideoLoader = defineLoader<string, readonly JobRow[]>(
  ({ reads, tenantId, loaders }) =>
    new DataLoader(async (ids) => {
      const found = await reads.query<JobOfSubjectRow>(newestJobsOfSubjects, [tenantId, 'video', ids]);
      const jobs = await loaders.job.loadMany(found.map(({ id }) => id));
      const byVideo = Map.groupBy(
        jobs.filter((row): row is JobRow => row !== null && !(row instanceof Error)),
        (row) => row.subjectId,
      );
      return ids.map((id) => byVideo.get(id) ?? []);
    }),
);

/** How far a video is on its way, by its id; null without jobs. */
export const pipelineOfVideoLoader = defineLoader<string, VideoPipeline | null>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const found = await reads.query<StageJobRow>(stageJobsOfVideos, [tenantId, ids, VIDEO_STAGES]);
      const byVideo = Map.groupBy(found, ({ videoId }) => videoId);
      const now = new Date();
      return ids.map((id) => {
        const jobs = byVideo.get(id);
        return jobs === undefined ? null : videoPipeline(jobs, now);
      });
    }),
);

/** Progress of the newest active stage of a video, by its id. */
export const progressOfVideoLoader = defineLoader<string, JobProgressRow | null>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const found = await reads.query<JobProgressRow & { subjectId: string }>(stageProgressOfSubjects, [
        tenantId,
        'video',
        ids,
        [fetchOriginal.key, ...VIDEO_STAGES],
      ]);
      return inOrder(ids, found, (row) => row.subjectId);
    }),
);
