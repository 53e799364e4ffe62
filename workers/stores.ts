import type { TextLine } from '../src/domains/videos/pipeline/text-line.ts';
import type { ObjectStat } from '../src/storage/object-store.ts';

/** What was read on one kept frame. */
export interface ReadFrame {
  readonly frameMs: number;
  /** When the video shows it; each span gives the lines rows of their own. */
  readonly spans: readonly (readonly [startMs: number, endMs: number])[];
  readonly lines: readonly TextLine[];
}

/** How frames are read: another way reads them anew. */
export interface Reading {
  /** SHA-256 of the manifest that the frames were kept by. */
  readonly manifestId: string;
  readonly engine: string;
  readonly engineVersion: string;
  readonly languages: readonly string[];
  readonly minConfidence: number;
}

/** The row of one video. */
export interface VideoStore {
  /**
   * Shows that its stream is being made, where it has none yet.
   * @throws DomainError `LostLease` when another run has the job by now; nothing is written then
   */
  begin(): Promise<void>;
}

/** The texts of one video's frames: what `ocr` writes as it goes, so that a run after a crash goes on instead of beginning again. */
export interface FrameTextStore {
  /** Of these frames, those read in the same way already, in ascending order. */
  findRead(frameMs: readonly number[], reading: Reading): Promise<ReadonlySet<number>>;
  /**
   * Writes frames with their texts, which can be found at once, in one transaction; what was written of the same frames before
   * is replaced.
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
   * Merges ranges, replaces entities and brings the search up to date, in one transaction. What it costs follows the video.
   * @param manifestId the frames' manifest; texts of frames kept by another are removed. Null: there was nothing to read.
   * @param toleranceMs how far apart readings of a text may be that still are one range
   * @param onProgress called in vain where the transaction is rolled back or begun anew
   * @throws DomainError `LostLease` when another run has the job by now
   */
  index(options: {
    readonly manifestId: string | null;
    readonly toleranceMs: number;
    readonly onProgress: (percent: number, stage: string) => void;
    readonly signal: AbortSignal;
  }): Promise<IndexedVideo>;
}

/** The video that a file below `videos/original/` is named by. */
export interface KnownVideo {
  readonly tenantId: string;
  readonly awaitsUpload: boolean;
  readonly originalKey: string;
}

/** Originals in the store and their videos, of all tenants: for jobs of the system tenant alone. */
export interface OriginalsStore {
  /** Of these videos, at most some hundred, those that are there, by id. */
  findVideos(videoIds: readonly string[]): Promise<ReadonlyMap<string, KnownVideo>>;
  /**
   * Makes a video of an original, with the first job of its pipeline, in one transaction.
   * @returns `known` when there is a video of that id by now, `unowned` when no tenant takes such files; nothing is written then
   */
  register(original: {
    readonly videoId: string;
    readonly fileName: string;
    readonly object: ObjectStat;
  }): Promise<'registered' | 'known' | 'unowned'>;
  /**
   * Completes an upload, in one transaction with the first job of its pipeline.
   * @returns false when it has been completed meanwhile
   */
  complete(video: KnownVideo, videoId: string, object: ObjectStat): Promise<boolean>;
}

/** Where handlers keep their own results beside what they return. Each acts for its job's tenant and subject only. */
export interface Stores {
  readonly video: VideoStore;
  readonly frameText: FrameTextStore;
  readonly segmentIndex: SegmentIndexStore;
  /** @throws Error in any other tenant than the system's */
  readonly originals: OriginalsStore;
}
