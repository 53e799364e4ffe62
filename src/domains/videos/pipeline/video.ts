import { isUuid } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/outcome.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { FinalEffects, FinishedJob, NextJob, StageError } from '../../../core/pipelines/pipeline.ts';
import { keptFrameKey } from '../../../storage/video-keys.ts';
import { MAX_LISTED_FRAMES } from '../definitions/ocr.ts';
import { processingDefaults } from './processing.ts';
import {
  checkSampleResult,
  checkTranscodeResult,
  type SampleResult,
  type TranscodeResult,
} from './stage-results.ts';
import type { VideoChange, VideoFacts } from './video-change.ts';

/**
 * The stages of a video, in their order: definitions of theirs. Others may be about a video too, and change
 * nothing of it.
 */
export const VIDEO_STAGES = ['transcode', 'sample', 'ocr', 'segment_index'] as const;
export type VideoStage = (typeof VIDEO_STAGES)[number];

/**
 * The payload of a video's first stage.
 * @param languages of its texts; null: as the worker that reads them is configured
 */
export function transcodePayload(
  videoId: string,
  originalKey: string,
  languages: readonly string[] | null,
): Readonly<Record<string, unknown>> {
  return { video_id: videoId, s3_original_path: originalKey, ...(languages !== null && { languages }) };
}

/**
 * Frames of one job, of a video that has more than a payload lists: small enough to be shared by several
 * workers.
 */
export const CHUNK_FRAMES = 250;

/** `millrace:ocr:{video_id}:{first frame}`: a video may have one active reader a chunk. */
function chunkKey(videoId: string, firstFrame: number): string {
  return `${pipelineDedupeKey('ocr', videoId)}:${firstFrame}`;
}

/**
 * The video pipeline: what the end of each stage changes, and what comes next. Jobs of other programs under
 * these names are left alone where what they call a video has no UUID.
 * @throws PermanentError `InvalidResult` for a result that no stage gives: the job fails with it
 */
export function videoOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<VideoChange> {
  const videoId = videoIdOf(job);
  if (videoId === null || !isStage(definitionKey)) return { changes: [], next: [] };
  if (settlement.status === 'succeeded') return afterSuccess(definitionKey, job, videoId, settlement.result);
  // What waited for a stage that failed is canceled with it; the video has that one's error already.
  if (settlement.status === 'canceled' && settlement.reason === 'parent_failed')
    return { changes: [], next: [] };
  const error =
    settlement.status === 'canceled' ? { type: 'Canceled', message: settlement.reason } : settlement.error;
  return { changes: failed(videoId, error), next: [] };
}

/**
 * A retried stage puts its video back to work. A reader does not: the index comes back with the last reader
 * that had failed, and with it the video. While another one has not been retried, nothing would come after
 * this one.
 */
export function videoOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<VideoChange> {
  const videoId = videoIdOf(job);
  if (videoId === null || !isStage(definitionKey) || definitionKey === 'ocr')
    return { changes: [], next: [] };
  return { changes: [{ kind: 'video', videoId, status: 'processing', set: { error: null } }], next: [] };
}

function videoIdOf({ subject }: FinishedJob): string | null {
  return subject !== null && isUuid(subject.id) ? subject.id : null;
}

function afterSuccess(
  stage: VideoStage,
  job: FinishedJob,
  videoId: string,
  result: unknown,
): FinalEffects<VideoChange> {
  const ifRefused = (error: StageError) => failed(videoId, error);
  switch (stage) {
    case 'transcode':
      return {
        changes: [{ kind: 'video', videoId, status: 'transcoded', set: facts(checkTranscodeResult(result)) }],
        next: [sampleJob(job, videoId)],
        ifRefused,
      };
    case 'sample':
      return { changes: [], next: readers(job, videoId, checkSampleResult(result)), ifRefused };
    case 'ocr':
      return { changes: [], next: [] };
    case 'segment_index':
      return { changes: [{ kind: 'video', videoId, status: 'ready', set: { error: null } }], next: [] };
  }
}

/** What goes from stage to stage of what the video itself says. */
interface StagePayload {
  readonly languages?: string[];
  readonly target_fps?: number;
  readonly dedupe_threshold?: number;
  readonly max_frames_per_minute?: number;
  readonly min_confidence?: number;
}

function sampleJob({ payload }: FinishedJob, videoId: string): NextJob {
  const { s3_original_path, languages, ...own } = (payload ?? {}) as StagePayload & {
    s3_original_path: string;
  };
  const defaults = processingDefaults();
  return {
    definitionKey: 'sample',
    dedupeKey: pipelineDedupeKey('sample', videoId),
    payload: {
      video_id: videoId,
      s3_original_path,
      target_fps: own.target_fps ?? defaults.targetFps,
      dedupe_threshold: own.dedupe_threshold ?? defaults.dedupeThreshold,
      max_frames_per_minute: own.max_frames_per_minute ?? defaults.maxFramesPerMinute,
      ...(own.min_confidence !== undefined && { min_confidence: own.min_confidence }),
      ...(languages !== undefined && { languages }),
    },
  };
}

/**
 * One reader, or one for each chunk of a long video, and the index behind all of them. The index is enqueued
 * here and not by the readers, since only here it is known how many they are; as a dependent it survives that
 * any of them is retried.
 */
function readers({ payload }: FinishedJob, videoId: string, result: SampleResult): readonly NextJob[] {
  const { languages, min_confidence } = (payload ?? {}) as StagePayload;
  const common = {
    video_id: videoId,
    manifest_key: result.manifestKey,
    ...(languages !== undefined && { languages }),
    min_confidence: min_confidence ?? processingDefaults().minConfidence,
  };
  const { timesMs, frameCount } = result;
  const jobs: NextJob[] = [];
  if (timesMs !== null && timesMs.length <= MAX_LISTED_FRAMES) {
    const frame_paths = timesMs.map((tMs) => keptFrameKey(videoId, tMs));
    jobs.push({
      definitionKey: 'ocr',
      dedupeKey: pipelineDedupeKey('ocr', videoId),
      payload: { ...common, frame_paths },
    });
  } else {
    for (let first = 0; first < frameCount; first += CHUNK_FRAMES) {
      jobs.push({
        definitionKey: 'ocr',
        dedupeKey: chunkKey(videoId, first),
        payload: { ...common, first_frame: first, frame_count: Math.min(CHUNK_FRAMES, frameCount - first) },
      });
    }
  }
  return [
    ...jobs,
    {
      definitionKey: 'segment_index',
      dedupeKey: pipelineDedupeKey('segment_index', videoId),
      payload: { video_id: videoId },
      after: 'theOthers',
    },
  ];
}

function failed(videoId: string, error: StageError): readonly VideoChange[] {
  return [{ kind: 'video', videoId, status: 'failed', set: { error } }];
}

function isStage(definitionKey: string): definitionKey is VideoStage {
  return (VIDEO_STAGES as readonly string[]).includes(definitionKey);
}

function facts(result: TranscodeResult): VideoFacts {
  return {
    proxyKey: result.playlistKey,
    thumbKey: result.posterKey,
    durationMs: result.durationMs,
    widthPx: result.widthPx,
    heightPx: result.heightPx,
    fps: result.fps,
    error: null,
  };
}
