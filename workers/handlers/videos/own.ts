import type { FrameTextStore, SegmentIndexStore } from '../../../src/domains/search/index.ts';
import type { FetchStore, OriginalsStore, VideoStore } from '../../../src/domains/videos/stores/contract.ts';
import type { Outgoing } from '../../../src/outgoing/outgoing.ts';
import type { MediaTools, OcrTools } from '../../handler.ts';

// What the handlers of videos have beside what every handler has: each what its registration provides, and no
// more.

/** What a handler that runs ffmpeg is provided with. */
export interface MediaOwn {
  /** Where media programs were found; null when the machine has none. */
  readonly media: MediaTools | null;
}

/** What `transcode` is provided with. */
export interface TranscodeOwn extends MediaOwn {
  readonly video: VideoStore;
}

/** What `ocr` is provided with. */
export interface OcrOwn extends MediaOwn {
  /** What reads texts in pictures; null when the machine has nothing that does. */
  readonly ocr: OcrTools | null;
  readonly frameText: FrameTextStore;
}

/** What `segment_index` is provided with. */
export interface SegmentIndexOwn {
  readonly segmentIndex: SegmentIndexStore;
}

/** What `fetch_original` is provided with. */
export interface FetchOwn {
  readonly outgoing: Outgoing;
  readonly upload: FetchStore;
}

/** What the scanner of originals is provided with. */
export interface ScanOwn {
  /** @throws Error in any other tenant than the system's */
  readonly originals: OriginalsStore;
}
