import {
  checkStageResult,
  RESULT_AMOUNT,
  RESULT_SIZE_PX,
  RESULT_TEXT,
  type ResultRule,
} from '../../../core/pipelines/stage-result.ts';

/** What `transcode` returns; `onFinal` copies it to the video's row. */
export interface TranscodeResult {
  readonly playlistKey: string;
  readonly posterKey: string;
  readonly durationMs: number;
  /** As displayed, after rotation. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  /** Segments of the best rendition. */
  readonly segmentCount: number;
  /** Sizes of the stream, the best first. Absent in results of before there were several. */
  readonly renditions?: readonly { readonly widthPx: number; readonly heightPx: number }[];
}

/** What `sample` returns; `onFinal` gives the frames to the readers. */
export interface SampleResult {
  readonly manifestKey: string;
  readonly frameCount: number;
  readonly sampledCount: number;
  /** The times of the frames; null when there are more than `MAX_LISTED_FRAMES`. */
  readonly timesMs: readonly number[] | null;
  /** Frames that differ and were left out, since their minute had enough; and how many it may have. */
  readonly droppedCount: number;
  readonly maxFramesPerMinute: number;
}

/** More than the longest video has; each chunk of them becomes a job. */
const MAX_FRAMES = 1_000_000;

const FRAME_COUNT: ResultRule = {
  allowed: `a whole number from 0 to ${MAX_FRAMES}`,
  takes: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_FRAMES,
};
const TIMES: ResultRule = {
  allowed: 'a list of whole milliseconds, or null',
  takes: (value) =>
    value === null ||
    (Array.isArray(value) && value.every((time) => Number.isSafeInteger(time) && (time as number) >= 0)),
};

/** @throws PermanentError `InvalidResult` */
export function checkTranscodeResult(result: unknown): TranscodeResult {
  return checkStageResult<TranscodeResult>('transcode', result, {
    playlistKey: RESULT_TEXT,
    posterKey: RESULT_TEXT,
    durationMs: RESULT_AMOUNT,
    widthPx: RESULT_SIZE_PX,
    heightPx: RESULT_SIZE_PX,
    fps: RESULT_AMOUNT,
  });
}

/** @throws PermanentError `InvalidResult` */
export function checkSampleResult(result: unknown): SampleResult {
  return checkStageResult<SampleResult>('sample', result, {
    manifestKey: RESULT_TEXT,
    frameCount: FRAME_COUNT,
    timesMs: TIMES,
  });
}
