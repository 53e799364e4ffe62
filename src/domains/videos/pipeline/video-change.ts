import type { StageError } from '../../../core/pipelines/pipeline.ts';

/** What the end of a stage, or a retry of it, does to a video. */
export interface VideoChange {
  readonly kind: 'video';
  readonly videoId: string;
  readonly status: 'uploaded' | 'processing' | 'transcoded' | 'ready' | 'failed';
  readonly set: Readonly<Partial<VideoFacts>>;
}

/** The facts about a video that a stage finds out. */
export interface VideoFacts {
  readonly proxyKey: string;
  readonly thumbKey: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly error: StageError | null;
}
