import type { Subject } from '../job.ts';

/** What a pipeline is told of the job that has just ended. */
export interface FinishedJob {
  readonly id: string;
  readonly definitionKey: string;
  readonly payload: unknown;
  readonly subject: Subject | null;
  readonly priority: number;
  readonly correlationId: string | null;
}

/** A next stage to enqueue in the finishing transaction. One that is active already counts as enqueued. */
export interface NextJob {
  readonly definitionKey: string;
  readonly payload: unknown;
  /** Of `pipelineDedupeKey`, so that no caller's job can stand in for it. */
  readonly dedupeKey: string | null;
}

/** A change of a domain row, applied in the finishing transaction. Each kind is one statement in `db/sql`. */
export type DomainChange = {
  readonly kind: 'video';
  readonly videoId: string;
  readonly status: 'uploaded' | 'processing' | 'transcoded' | 'failed';
  readonly set: Readonly<Partial<VideoFacts>>;
};

/** The facts about a video that a stage finds out. */
export interface VideoFacts {
  readonly proxyKey: string;
  readonly thumbKey: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly error: string | null;
}

export interface FinalEffects {
  readonly changes: readonly DomainChange[];
  readonly next: readonly NextJob[];
}
