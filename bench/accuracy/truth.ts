/** A word as the browser laid it out, in pixels of the video. */
export interface WordBox {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the video shows, unmoved, for a while. Between two of them it may scroll. */
export interface StillState {
  /** Which of the feed's pages it is; a changed price or a small scroll does not make another one. */
  readonly page: number;
  readonly tStartMs: number;
  readonly tEndMs: number;
  /** Those that are wholly visible. */
  readonly words: readonly WordBox[];
}

/** `truth.json` beside the video: what is to be read when and where. */
export interface FeedTruth {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly durationMs: number;
  /** In ascending order of time. */
  readonly states: readonly StillState[];
}
