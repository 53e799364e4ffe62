import type { Settlement } from '../outcome.ts';
import type { FinalEffects, FinishedJob, VideoFacts } from './effects.ts';

/** Definitions whose jobs are stages of a video. Others may be about a video too, and change nothing of it. */
export const VIDEO_STAGES: readonly string[] = ['transcode'];

/** What `transcode` returns; `onFinal` copies it to the video's row. */
export interface TranscodeResult {
  readonly playlistKey: string;
  readonly posterKey: string;
  readonly durationMs: number;
  /** As displayed, after rotation. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly segmentCount: number;
}

/** The video pipeline: what the end of each stage changes. */
export function videoOnFinal(job: FinishedJob, settlement: Settlement): FinalEffects {
  const videoId = job.subject?.id;
  if (videoId === undefined || !VIDEO_STAGES.includes(job.definitionKey)) return { changes: [], next: [] };
  if (settlement.status === 'succeeded') {
    return {
      changes: [
        { kind: 'video', videoId, status: 'transcoded', set: facts(settlement.result as TranscodeResult) },
      ],
      next: [],
    };
  }
  const error =
    settlement.status === 'canceled' ? `Canceled: ${settlement.reason}` : settlement.error.message;
  return { changes: [{ kind: 'video', videoId, status: 'failed', set: { error } }], next: [] };
}

/** A retried stage puts its video back to work. */
export function videoOnRequeue(job: FinishedJob): FinalEffects {
  const videoId = job.subject?.id;
  if (videoId === undefined || !VIDEO_STAGES.includes(job.definitionKey)) return { changes: [], next: [] };
  return { changes: [{ kind: 'video', videoId, status: 'processing', set: { error: null } }], next: [] };
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
