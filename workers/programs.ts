/** The media programs: where they are and what they can do. */
export interface MediaTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** Has `-fps_mode` (5.1 and later); older ones call it `-vsync`. */
  readonly fpsMode: boolean;
  /** Has the `zscale` filter, which turning HDR into ordinary video needs. */
  readonly zscale: boolean;
  /** What the programs may be asked to decode. */
  readonly limits: MediaLimits;
}

/** How much of a machine one file may take. What is beyond them is refused for good. */
export interface MediaLimits {
  /**
   * Limit of one picture's pixels, width times height. Enforced in the decoder too: a stream may change its
   * size on the way.
   */
  readonly maxPixels: number;
  /** Pictures a second, on average. */
  readonly maxFps: number;
  /** Streams of any kind in a file. */
  readonly maxStreams: number;
  /** Threads of each decoder, filter and encoder. */
  readonly threads: number;
}

/** The reader of texts: Tesseract, as a program or as the npm package. */
export interface OcrTools {
  readonly engine: 'tesseract' | 'tesseract.js';
  readonly version: string;
  /** The program; null for the npm package. */
  readonly path: string | null;
  /** Languages it has data of, by Tesseract's names. */
  readonly languages: readonly string[];
}
