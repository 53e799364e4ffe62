import { isUuid } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/outcome.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { FinalEffects, FinishedJob, NextJob, StageError } from '../../../core/pipelines/pipeline.ts';
import type { CallChange } from './call-change.ts';
import { hasTranscriptHash, isExtractResult, isStartResult } from './stage-results.ts';

/** The stages of a call, in their order: definitions of theirs. */
export const CALL_STAGES = ['extract_audio', 'transcribe_start', 'transcribe_poll', 'analyze'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/**
 * The calls pipeline: what the end of each stage changes, and what comes next. Pure. Programs that bring
 * stages and calls of their own under these names are left alone: what they call a call has no UUID, or is
 * not there when the change is applied.
 */
export function callOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<CallChange> {
  const callId = callIdOf(job);
  if (callId === null) return { changes: [], next: [] };
  if (settlement.status === 'succeeded')
    return afterSuccess(definitionKey as CallStage, job, callId, settlement.result);
  const error =
    settlement.status === 'canceled' ? { type: 'Canceled', message: settlement.reason } : settlement.error;
  return { changes: failed(callId, error), next: [] };
}

/** A retried stage puts its call back to work. */
export function callOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<CallChange> {
  const callId = callIdOf(job);
  if (callId === null) return { changes: [], next: [] };
  const status =
    definitionKey === 'extract_audio' ? 'queued' : definitionKey === 'analyze' ? 'analyzing' : 'transcribing';
  return { changes: [{ kind: 'call', callId, status, set: { error: null } }], next: [] };
}

function callIdOf({ subject }: FinishedJob): string | null {
  return subject !== null && isUuid(subject.id) ? subject.id : null;
}

function afterSuccess(
  stage: CallStage,
  job: FinishedJob,
  callId: string,
  result: unknown,
): FinalEffects<CallChange> {
  const ifRefused = (error: StageError) => failed(callId, error);
  const payload = (job.payload ?? {}) as Readonly<Record<string, unknown>>;
  const change = (status: CallChange['status'], set: CallChange['set'] = {}): CallChange => ({
    kind: 'call',
    callId,
    status,
    set: { error: null, ...set },
  });
  if (stage === 'extract_audio') {
    if (!isExtractResult(result)) return misshapen(stage, callId);
    const { audioPath, transcriptHash, ...set } = result;
    const isDone = transcriptHash !== null;
    return {
      changes: [change(isDone ? 'analyzing' : 'transcribing', set)],
      next: [
        isDone
          ? analyzeJob(callId, transcriptHash)
          : nextJob('transcribe_start', callId, {
              audio_path: audioPath,
              channels: set.channelCount,
              duration_ms: set.durationMs,
              ...pick(payload, ['language', 'speaker_count']),
            }),
      ],
      ifRefused,
    };
  }
  if (stage === 'transcribe_start') {
    if (!isStartResult(result)) return misshapen(stage, callId);
    const { operationId, provider, startedAtMs, oggPath, transcriptHash } = result;
    if (transcriptHash !== null)
      return { changes: [change('analyzing')], next: [analyzeJob(callId, transcriptHash)], ifRefused };
    const next = nextJob('transcribe_poll', callId, {
      operationId,
      provider,
      started_at_ms: startedAtMs,
      ...(oggPath !== null && { ogg_path: oggPath }),
      ...pick(payload, ['audio_path', 'channels', 'duration_ms', 'language', 'speaker_count']),
    });
    return { changes: [change('transcribing')], next: [next], ifRefused };
  }
  if (!hasTranscriptHash(result)) return misshapen(stage, callId);
  if (stage === 'transcribe_poll')
    return { changes: [change('analyzing')], next: [analyzeJob(callId, result.transcriptHash)], ifRefused };
  return { changes: [change('ready')], next: [] };
}

function analyzeJob(callId: string, transcriptHash: string): NextJob {
  return nextJob('analyze', callId, { transcript_hash: transcriptHash });
}

function nextJob(
  definitionKey: CallStage,
  callId: string,
  payload: Readonly<Record<string, unknown>>,
): NextJob {
  return {
    definitionKey,
    dedupeKey: pipelineDedupeKey(definitionKey, callId),
    payload: { call_id: callId, ...payload },
  };
}

/** What ends well with a result that no stage gives would leave its call waiting forever. */
function misshapen(stage: CallStage, callId: string): FinalEffects<CallChange> {
  const message = `${stage} ended with a result that is not of its form`;
  return { changes: failed(callId, { type: 'InvalidResult', message }), next: [] };
}

function failed(callId: string, error: StageError): readonly CallChange[] {
  return [{ kind: 'call', callId, status: 'failed', set: { error } }];
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}
