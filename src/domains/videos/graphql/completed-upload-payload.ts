import { builder } from '../../../graphql/builder.ts';
import { loaderOf, loadersOf } from '../../../graphql/context.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { JobType } from '../../../graphql/types/job.ts';
import type { CompletedUpload } from '../uploads/complete-video-upload.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

/** The payload of a mutation that gives a video its original, however that came into the store. */
export function completedUploadPayload(
  name: string,
  descriptions: { readonly payload: string; readonly job?: string; readonly isNew: string },
) {
  return builder.objectRef<CompletedUpload>(name).implement({
    description: descriptions.payload,
    fields: (t) => ({
      video: t.field({
        type: VideoType,
        nullable: true,
        description: 'The video.',
        resolve: ({ videoId }, _args, context) =>
          readBack(context, () => loaderOf(context, videoLoader).load(videoId), `Video ${videoId}`),
      }),
      job: t.field({
        type: JobType,
        nullable: true,
        description: descriptions.job ?? 'The `transcode` job; null when it was deleted since.',
        resolve: async ({ jobId }, _args, context) => {
          if (jobId === null) return null;
          // Null is an answer: it may be out of the caller's reach.
          const read = async () => ({ job: await loadersOf(context).job.load(jobId) });
          return (await readBack(context, read, `Job ${jobId}`)).job;
        },
      }),
      isNew: t.exposeBoolean('created', { description: descriptions.isNew }),
    }),
  });
}
