import type { CallTranscriptRow } from '../../../db/prisma.ts';
import type { CallAnalysis } from '../analysis/analysis.ts';

/** What a call has cost; prices in millionths of the configured currency, null where none is set. */
export interface CallCost {
  readonly audioSeconds: number;
  readonly speechMicros: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly summaryMicros: number | null;
  readonly totalMicros: number | null;
}

/** The cost so far: of the transcript and the analysis, where they exist. */
export function costOfCall(
  transcript: Pick<CallTranscriptRow, 'audioMs' | 'operationCount' | 'costMicros'> | null,
  analysis: Pick<CallAnalysis, 'cost'> | null,
): CallCost {
  const speechMicros = transcript?.costMicros == null ? null : Number(transcript.costMicros);
  const { inputTokens = 0, outputTokens = 0, micros: summaryMicros = null } = analysis?.cost ?? {};
  const hasPrice = speechMicros !== null || summaryMicros !== null;
  return {
    audioSeconds: transcript === null ? 0 : (Number(transcript.audioMs) * transcript.operationCount) / 1000,
    speechMicros,
    inputTokens,
    outputTokens,
    summaryMicros,
    totalMicros: hasPrice ? (speechMicros ?? 0) + (summaryMicros ?? 0) : null,
  };
}
