import type { FrameTextStore, SegmentIndexStore } from '../src/domains/search/stores/contract.ts';
import type { OriginalsStore, VideoStore } from '../src/domains/videos/stores/contract.ts';

export type * from '../src/domains/search/stores/contract.ts';
export type * from '../src/domains/videos/stores/contract.ts';

/** Where handlers keep their own results beside what they return. Each acts for its job's tenant and subject only. */
export interface Stores {
  readonly video: VideoStore;
  readonly frameText: FrameTextStore;
  readonly segmentIndex: SegmentIndexStore;
  /** @throws Error in any other tenant than the system's */
  readonly originals: OriginalsStore;
}
