import './complete-video-upload.ts';
import './create-video.ts';
import './delete-video.ts';
import './import-video.ts';
import './job-video.ts';
import './processing.ts';
import './register-video.ts';
import './tenant-storage.ts';
import './update-video.ts';
import './video.ts';
import './video-changed.ts';
import './video-changes.ts';
import './video-pipeline.ts';
import './videos.ts';
import { reachesVideo } from '../../../core/reach.ts';
import type { VideoRow } from '../../../db/prisma.ts';
import { RECEIPT, VIDEOS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';
import { videoLoader } from './loaders.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = {
  typeAccess: { Video: { ...VIDEOS, open: RECEIPT }, VideoUpdated: VIDEOS },
  reach: {
    video: {
      roots: ['Query.video', 'Subscription.videoChanged'],
      types: {
        PipelineStage: 'all',
        Video: 'all',
        VideoPipeline: 'all',
        VideoProcessing: 'all',
        VideoUrls: 'all',
      },
    },
    upload: {
      roots: ['Mutation.createVideo', 'Mutation.completeVideoUpload'],
      types: { ResumableUpload: 'all', UploadHeader: 'all', UploadTarget: 'all', Video: RECEIPT },
    },
  },
  rowChecks: { Video: (reach, row) => reachesVideo(reach, row as VideoRow) },
  nodeScopes: { Video: 'videos' },
  subjectTypes: { video: 'Video' },
  reachTargets: { video: videoLoader },
};
