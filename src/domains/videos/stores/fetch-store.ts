import type { Job } from '../../../core/job.ts';
import { publishUpload } from '../uploads/accept-upload.ts';
import { completeOriginal } from '../uploads/complete-video-upload.ts';
import { PutHold } from '../uploads/put-hold.ts';
import type { FetchStore } from './contract.ts';

type Deps = Parameters<typeof PutHold.take>[0] & Parameters<typeof completeOriginal>[0];

/** The upload of one job's video, which goes the same way as one that comes from a client. */
export function createFetchStore(deps: Deps, { tenantId, subject }: Job): FetchStore {
  const target = { tenantId, videoId: subject?.id ?? '' };
  return {
    hold: (sizeBytes, maxSizeBytes) => PutHold.take(deps, target, sizeBytes, maxSizeBytes),
    publish: (publish) => publishUpload(deps, target, publish),
    complete: async () => {
      await completeOriginal(deps, tenantId, target.videoId, null);
    },
  };
}
