import type { CallFacts } from './call-change.ts';

/** What `extract_audio` returns. */
export interface ExtractResult extends Omit<CallFacts, 'error'> {
  readonly audioPath: string;
  /** Why the transcript of a silent recording is empty; null for any other. */
  readonly transcriptHash: string | null;
}

/** What `transcribe_start` returns. */
export interface StartResult {
  /** Null where the transcript is there already. */
  readonly operationId: string | null;
  readonly provider: string;
  readonly startedAtMs: number;
  readonly oggPath: string | null;
  readonly transcriptHash: string | null;
}

/** What `transcribe_poll` returns. */
export interface PollResult {
  readonly transcriptHash: string;
  readonly provider: string;
  readonly audioSeconds: number;
}

/** What `analyze` returns, as far as the pipeline looks at it. */
export interface AnalyzeResult {
  readonly transcriptHash: string;
}

export function isExtractResult(result: unknown): result is ExtractResult {
  return (
    isRecord(result) &&
    typeof result['audioPath'] === 'string' &&
    typeof result['recordingKey'] === 'string' &&
    [result['sizeBytes'], result['durationMs'], result['channelCount']].every(Number.isSafeInteger) &&
    (result['loudnessLufs'] === null || Number.isFinite(result['loudnessLufs'])) &&
    typeof result['isSilent'] === 'boolean' &&
    isTextOrNull(result['transcriptHash'])
  );
}

/** One that names neither an operation nor a transcript leads nowhere. */
export function isStartResult(result: unknown): result is StartResult {
  return (
    isRecord(result) &&
    isTextOrNull(result['operationId']) &&
    isTextOrNull(result['transcriptHash']) &&
    (result['operationId'] ?? result['transcriptHash']) !== null &&
    typeof result['provider'] === 'string' &&
    Number.isFinite(result['startedAtMs']) &&
    isTextOrNull(result['oggPath'])
  );
}

/** True for results of `transcribe_poll` and `analyze`: both name their transcript. */
export function hasTranscriptHash(result: unknown): result is PollResult | AnalyzeResult {
  return isRecord(result) && typeof result['transcriptHash'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
