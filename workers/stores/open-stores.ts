import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import type { Job } from '../../src/core/job.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import { createFrameTextStore } from '../../src/domains/search/stores/frame-text-store.ts';
import { createSegmentIndexStore } from '../../src/domains/search/stores/segment-index-store.ts';
import { createOriginalsStore, type OriginalsDeps } from '../../src/domains/videos/stores/originals-store.ts';
import { createVideoStore } from '../../src/domains/videos/stores/video-store.ts';
import type { FrameTextStore, OriginalsStore, SegmentIndexStore, Stores, VideoStore } from '../stores.ts';

/**
 * The stores of one run, each made when it is first asked for.
 * @param originalsDeps for jobs of the system tenant
 */
export function openStores(
  database: Database,
  job: Job,
  lease: Lease,
  originalsDeps: Omit<OriginalsDeps, 'database'>,
): Stores {
  let video: VideoStore | undefined;
  let frameText: FrameTextStore | undefined;
  let segmentIndex: SegmentIndexStore | undefined;
  let originals: OriginalsStore | undefined;
  return {
    get video() {
      video ??= createVideoStore(database, job, lease);
      return video;
    },
    get frameText() {
      frameText ??= createFrameTextStore(database, job, lease);
      return frameText;
    },
    get segmentIndex() {
      segmentIndex ??= createSegmentIndexStore(database, job, lease);
      return segmentIndex;
    },
    get originals() {
      if (job.tenantId !== SYSTEM_TENANT_ID)
        throw new Error('The originals of all tenants are for jobs of the system tenant alone');
      originals ??= createOriginalsStore({ database, ...originalsDeps });
      return originals;
    },
  };
}
