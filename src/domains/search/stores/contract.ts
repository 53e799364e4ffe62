import type { TextLine } from '../../../text/text-line.ts';

/** What was read on one kept frame. */
export interface ReadFrame {
  readonly frameMs: number;
  /** When the video shows it; each span gives the lines rows of their own. */
  readonly spans: readonly (readonly [startMs: number, endMs: number])[];
  readonly lines: readonly TextLine[];
}

/** How frames are read: another way reads them again. */
export interface Reading {
  /** SHA-256 of the manifest that the frames were kept by. */
  readonly manifestId: string;
  readonly engine: string;
  readonly engineVersion: string;
  readonly languages: readonly string[];
  readonly minConfidence: number;
}

/**
 * The texts of one video's frames: what `ocr` writes as it goes, so that a run after a crash goes on instead
 * of beginning again.
 */
export interface FrameTextStore {
  /** Finds which of these frames were read in the same way already, in ascending order. */
  findRead(frameMs: readonly number[], reading: Reading): Promise<ReadonlySet<number>>;
  /**
   * Writes frames with their texts, which can be found at once, in one transaction; what was written of the
   * same frames before is replaced.
   * @throws DomainError `LostLease` when another run has the job by now; nothing is written then
   */
  commit(reading: Reading, frames: readonly ReadFrame[]): Promise<void>;
}

/** What `segment_index` found out. */
export interface IndexedVideo {
  /** Time ranges of a text. */
  readonly segmentCount: number;
  readonly entityCount: number;
}

/** Merges the texts of one video and keeps what was recognised in them. */
export interface SegmentIndexStore {
  /**
   * Merges ranges, replaces entities and brings the search up to date, in one transaction. What it costs
   * follows the video.
   * @param manifestId the frames' manifest; texts of frames kept by another are removed. Null: there was
   *   nothing to read.
   * @param toleranceMs how far apart readings of a text may be that still are one range
   * @param onProgress called in vain where the transaction is rolled back or begun again
   * @throws DomainError `LostLease` when another run has the job by now
   */
  index(options: {
    readonly manifestId: string | null;
    readonly toleranceMs: number;
    readonly onProgress: (percent: number, stage: string) => void;
    readonly signal: AbortSignal;
  }): Promise<IndexedVideo>;
}
