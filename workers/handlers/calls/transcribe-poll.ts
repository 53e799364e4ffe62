import { json } from 'node:stream/consumers';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import { done, type Outcome, snoozed } from '../../../src/core/outcome.ts';
import type { transcribePoll } from '../../../src/domains/calls/definitions/transcribe-poll.ts';
import type { PollResult } from '../../../src/domains/calls/pipeline/stage-results.ts';
import { type Transcript, turnsOf } from '../../../src/domains/calls/transcript.ts';
import { answerKey, operationKey, transcriptKey, waveformKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import type { SoundMap } from '../../tools/audio/sound-meter.ts';
import {
  type Heard,
  QuotaUsedUp,
  type SpeechAudio,
  type SpeechProvider,
} from '../../tools/speech/provider.ts';
import { beginOperation, endOperation } from './begin-operation.ts';
import { callOfJob, requireOwnKey } from './call-of-job.ts';
import { type OperationRecord, readOperation } from './operation-record.ts';
import type { TranscribeOwn } from './own.ts';
import { pollDelaySeconds } from './poll-delay.ts';
import { openSpeechAudio } from './speech-audio.ts';
import { SEGMENTS } from './transcribe-start.ts';

type Context = HandlerContext<PayloadOf<typeof transcribePoll>, TranscribeOwn>;

/** An operation that fails in a way that may pass is begun again so often. */
const MAX_RESTARTS = 2;

/**
 * The calls system's `transcribe_poll`: looks once, and sleeps without a slot and without spending an attempt
 * while the provider works. A program of this machine works in here. The transcript is stored once.
 */
export const transcribePollHandler: Handler<PayloadOf<typeof transcribePoll>, TranscribeOwn> = async (
  context,
) => {
  const { payload, own } = context;
  const callId = callOfJob(payload, context.subject);
  requireOwnKey(payload.audio_path, callId, context.tenantId);
  const stored = await own.call.findTranscript();
  if (stored !== null) return await publish(context, callId, stored);
  context.progress({ stage: 'transcribe', percent: null });
  if (payload.provider === SEGMENTS) return await store(context, callId, await segments(context, callId));
  const provider = await own.speech();
  if (provider === null || provider.name !== payload.provider)
    throw new DomainError('ToolMissing', `This worker transcribes with ${provider?.name ?? 'nothing'}`, {
      field: 'MILLRACE_SPEECH_PROVIDER',
      allowed: payload.provider,
    });
  const audio = openSpeechAudio(context, own.media, callId, payload);
  try {
    const operation = await operationOf(context, callId, provider, audio);
    const answer = await provider.poll(operation.operationId, audio, context.signal);
    if (answer.state === 'done') {
      const transcript = transcriptOf(provider, answer.heard, payload, operation, own.microsPerMinute);
      const outcome = await store(context, callId, transcript);
      await provider.forget?.(operation.operationId, context.signal).catch(() => undefined);
      return outcome;
    }
    if (answer.state === 'pending') return asleep(own, operation);
    const isRetry = answer.retryable && operation.restarts < MAX_RESTARTS;
    if (provider.takesOgg) await endOperation(context, callId, operation, isRetry);
    if (!isRetry) throw new PermanentError(answer.type, answer.message);
    context.log.warn(`${answer.message}; another operation is begun`);
    return asleep(own, await beginOperation(context, callId, provider, audio));
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    return snoozed(error.retryAfterSeconds, 'quota');
  }
};

/**
 * The one that is under way; another one where a crash, or somebody's retry of a job that had failed, left
 * none.
 */
async function operationOf(
  context: Context,
  callId: string,
  provider: SpeechProvider,
  audio: SpeechAudio,
): Promise<OperationRecord> {
  const { operationId, started_at_ms: startedAtMs } = context.payload;
  const record = provider.takesOgg ? await readOperation(context, callId) : null;
  if (record?.state === 'begun') return record;
  if (record !== null) return await beginOperation(context, callId, provider, audio);
  const counts = { restarts: 0, startNo: 1, begunCount: 1, repeatedCount: 0, ogg: null };
  return { state: 'begun', operationId, provider: provider.name, startedAtMs, ...counts };
}

function asleep({ nowMs, pollIntervalMs }: TranscribeOwn, { startedAtMs }: OperationRecord): Outcome {
  return snoozed(pollDelaySeconds(nowMs() - startedAtMs, pollIntervalMs), 'transcribing');
}

function transcriptOf(
  { name, model, isDraft, isCharged }: SpeechProvider,
  heard: Heard,
  { duration_ms, language }: Context['payload'],
  { begunCount, repeatedCount }: OperationRecord,
  microsPerMinute: number,
): Transcript {
  // What may have been charged for counts.
  const operationCount = begunCount + repeatedCount - 1 + (heard.requestCount ?? 1);
  const hasPrice = isCharged && microsPerMinute > 0;
  const turns = heard.turns ?? turnsOf(heard.words);
  const hasText = turns.some(({ text }) => text !== '');
  return {
    provider: name,
    model,
    language: heard.language ?? language ?? null,
    isDraft,
    hasText,
    emptyReason: hasText ? null : 'nothing_recognised',
    audioMs: duration_ms,
    operationCount,
    costMicros: hasPrice ? Math.ceil((duration_ms * operationCount * microsPerMinute) / 60_000) : null,
    turns: hasText ? turns : [],
  };
}

/** Who speaks when, by channel, and no word of it. */
async function segments({ tools, payload, signal }: Context, callId: string): Promise<Transcript> {
  const { stream } = await tools.storage.get(waveformKey(callId), { signal });
  const { speech } = (await json(stream)) as Pick<SoundMap, 'speech'>;
  const turns = speech.flatMap((spans, speaker) =>
    spans.map(({ startMs, endMs }) => ({ speaker, startMs, endMs, text: '', words: [], confidence: null })),
  );
  return {
    ...{ provider: SEGMENTS, model: null, language: null, isDraft: false, hasText: false },
    emptyReason: 'no_provider',
    ...{ audioMs: payload.duration_ms, operationCount: 0, costMicros: null },
    turns: turns.toSorted((a, b) => a.startMs - b.startMs || a.speaker - b.speaker),
  };
}

async function store(context: Context, callId: string, transcript: Transcript): Promise<Outcome> {
  await context.own.call.storeTranscript(transcript);
  const stored = await context.own.call.findTranscript();
  if (stored === null) throw new Error('The transcript is not there after it was stored');
  return await publish(context, callId, stored);
}

/** As the rows have it, so that a run that is repeated writes the same bytes. */
async function publish(
  context: Context,
  callId: string,
  transcript: Transcript & { readonly hash: string },
): Promise<Outcome> {
  const { tools, signal } = context;
  await context.fence();
  const object = await putBytes(tools.storage, transcriptKey(callId), JSON.stringify(transcript), { signal });
  for (const key of [operationKey(callId), answerKey(callId, 0), answerKey(callId, 1)])
    await tools.storage.delete(key);
  const result: PollResult = {
    transcriptHash: transcript.hash,
    provider: transcript.provider,
    audioSeconds: Math.round(transcript.audioMs / 100) / 10,
  };
  context.progress({ stage: 'transcribe', percent: 100, etaSeconds: 0 });
  return done(result, [{ kind: 'call_transcript', ...object, metadata: { hash: transcript.hash } }]);
}
