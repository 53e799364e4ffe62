import type { StageError } from '../../../core/pipelines/pipeline.ts';
import type { CallStatus } from '../call-status.ts';

/** What the end of a stage, or a retry of it, does to a call. */
export interface CallChange {
  readonly kind: 'call';
  readonly callId: string;
  readonly status: CallStatus;
  readonly set: Readonly<Partial<CallFacts>>;
}

/** The facts about a call that a stage finds out. */
export interface CallFacts {
  readonly recordingKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly channelCount: number;
  readonly loudnessLufs: number | null;
  readonly isSilent: boolean;
  readonly error: StageError | null;
}
