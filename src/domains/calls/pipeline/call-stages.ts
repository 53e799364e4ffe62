import type { Settlement } from '../../../core/outcome.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { FinalEffects, FinishedJob, NextJob, StageError } from '../../../core/pipelines/pipeline.ts';
import type { CallChange, CallFacts } from './call-change.ts';

/** The stages of a call, in their order: definitions of theirs. */
export const CALL_STAGES = ['extract_audio', 'transcribe_start', 'transcribe_poll', 'analyze'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/** What `extract_audio` returns. */
export interface ExtractResult extends Omit<CallFacts, 'error'> {
  readonly audioPath: string;
  /** Of the empty transcript of a silent recording; null for any other. */
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

/** The calls pipeline: what the end of each stage changes, and what comes next. Pure. */
export function callOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<CallChange> {
  const callId = job.subject?.id;
  if (callId === undefined) return { changes: [], next: [] };
  if (settlement.status === 'succeeded')
    return afterSuccess(definitionKey as CallStage, job, callId, settlement.result);
  const error =
    settlement.status === 'canceled' ? { type: 'Canceled', message: settlement.reason } : settlement.error;
  return { changes: failed(callId, error), next: [] };
}

/** A retried stage puts its call back to work. */
export function callOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<CallChange> {
  const callId = job.subject?.id;
  if (callId === undefined) return { changes: [], next: [] };
  const status =
    definitionKey === 'extract_audio' ? 'queued' : definitionKey === 'analyze' ? 'analyzing' : 'transcribing';
  return { changes: [{ kind: 'call', callId, status, set: { error: null } }], next: [] };
}

function afterSuccess(
  stage: CallStage,
  job: FinishedJob,
  callId: string,
  result: unknown,
): FinalEffects<CallChange> {
  const ifRefused = (error: StageError) => failed(callId, error);
  const payload = job.payload as Readonly<Record<string, unknown>>;
  const change = (status: CallChange['status'], set: CallChange['set'] = {}): CallChange => ({
    kind: 'call',
    callId,
    status,
    set: { error: null, ...set },
  });
  if (stage === 'extract_audio') {
    const { audioPath, transcriptHash, ...set } = result as ExtractResult;
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
    const { operationId, provider, startedAtMs, oggPath, transcriptHash } = result as StartResult;
    if (transcriptHash !== null || operationId === null)
      return {
        changes: [change('analyzing')],
        next: [analyzeJob(callId, transcriptHash as string)],
        ifRefused,
      };
    const next = nextJob('transcribe_poll', callId, {
      operationId,
      provider,
      started_at_ms: startedAtMs,
      ...(oggPath !== null && { ogg_path: oggPath }),
      ...pick(payload, ['audio_path', 'channels', 'duration_ms', 'language', 'speaker_count']),
    });
    return { changes: [change('transcribing')], next: [next], ifRefused };
  }
  if (stage === 'transcribe_poll') {
    const { transcriptHash } = result as PollResult;
    return { changes: [change('analyzing')], next: [analyzeJob(callId, transcriptHash)], ifRefused };
  }
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

function failed(callId: string, error: StageError): readonly CallChange[] {
  return [{ kind: 'call', callId, status: 'failed', set: { error } }];
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}
