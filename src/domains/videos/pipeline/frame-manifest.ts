/** A kept frame. Its picture is `frames/{video_id}/{tMs}.jpg`. */
export interface KeptFrame {
  /** Milliseconds from the start of the video to the picture in the source, whatever its frame rate. */
  readonly tMs: number;
  readonly sizeBytes: number;
  /** The SHA-256 of the JPEG, in lower-case hex. */
  readonly sha256: string;
  /** 0 (black) to 255, of the whole picture: what is dark is inverted before it is read. */
  readonly meanLuma: number;
  /**
   * When the video showed this picture, or one that counts as the same, in milliseconds: from a sampled
   * picture to the next one that differs. More than one where it came back.
   */
  readonly spans: readonly (readonly [startMs: number, endMs: number])[];
}

/**
 * Small pictures of all kept frames, in their order, several to a file: row by row, each file full but the
 * last. Players show them above their bar.
 */
export interface Storyboard {
  readonly columns: number;
  /** Rows of a full file. */
  readonly rows: number;
  readonly tileWidthPx: number;
  readonly tileHeightPx: number;
  /** Names of the JPEGs, relative to the track's. */
  readonly sprites: readonly string[];
}

/** `frames/{video_id}/manifest.json`: what `sample` kept and why. The same source gives the same bytes. */
export interface FrameManifest {
  readonly version: 1;
  readonly videoId: string;
  /** The original's size in bytes and, where the store knows it, SHA-256. */
  readonly source: { readonly key: string; readonly sizeBytes: number; readonly sha256: string | null };
  /** The size of the source as displayed. Boxes are given in its pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** The size of the JPEGs: smaller than a very large source. */
  readonly frameWidthPx: number;
  readonly frameHeightPx: number;
  readonly targetFps: number;
  readonly dedupeThreshold: number;
  readonly maxFramesPerMinute: number;
  readonly sampledCount: number;
  /** The end of the last picture. */
  readonly durationMs: number;
  /** In ascending order of time. */
  readonly frames: readonly KeptFrame[];
  /** Minutes of the video in which pictures that differ were not kept, since the cap was reached. */
  readonly capped: readonly { readonly minute: number; readonly droppedCount: number }[];
  /** Absent in manifests of before there were any. */
  readonly storyboard?: Storyboard;
}
