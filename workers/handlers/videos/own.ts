import type { FrameTextStore, SegmentIndexStore } from '../../../src/domains/search/index.ts';
import type { OriginalsStore, VideoStore } from '../../../src/domains/videos/stores/contract.ts';
import type { MediaTools, OcrTools } from '../../handler.ts';

// What the handlers of videos have beside what every handler has: each what its registration provides, and no
// more.

/** Of a handler that runs ffmpeg. */
export interface MediaOwn {
  /** Where media programs were found; null when the machine has none. */
  readonly media: MediaTools | null;
}

/** Of `transcode`. */
export interface TranscodeOwn extends MediaOwn {
  readonly video: VideoStore;
}

/** Of `ocr`. */
export interface OcrOwn extends MediaOwn {
  /** What reads texts in pictures; null when the machine has nothing that does. */
  readonly ocr: OcrTools | null;
  readonly frameText: FrameTextStore;
}

/** Of `segment_index`. */
export interface SegmentIndexOwn {
  readonly segmentIndex: SegmentIndexStore;
}

/** Of the scanner of originals. */
export interface ScanOwn {
  /** @throws Error in any other tenant than the system's */
  readonly originals: OriginalsStore;
}
