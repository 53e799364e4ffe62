import { json } from 'node:stream/consumers';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import { done, type Outcome, snoozed } from '../../../src/core/outcome.ts';
import type { transcribePoll } from '../../../src/domains/calls/definitions/transcribe-poll.ts';
import type { PollResult } from '../../../src/domains/calls/pipeline/stage-results.ts';
import { type Transcript, turnsOf } from '../../../src/domains/calls/transcript.ts';
import { operationKey, transcriptKey, waveformKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import type { SoundMap } from '../../tools/audio/sound-meter.ts';
import { type Heard, QuotaUsedUp, type SpeechProvider } from '../../tools/speech/provider.ts';
import { callOfJob, requireMedia, requireOwnKey } from './call-of-job.ts';
import { readOperation, writeOperation } from './operation-record.ts';
import type { TranscribeOwn } from './own.ts';
import { pollDelaySeconds } from './poll-delay.ts';
import { openSpeechAudio } from './speech-audio.ts';
import { SEGMENTS } from './transcribe-start.ts';

type Context = HandlerContext<PayloadOf<typeof transcribePoll>, TranscribeOwn>;

/** An operation that fails in a way that may pass is begun anew so often. */
const MAX_RESTARTS = 2;

/**
 * The calls system's `transcribe_poll`: looks once, and sleeps without a slot and without spending an attempt while the provider works.
 * A program of this machine works in here. The transcript is stored once.
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
  const { operationId, startedAtMs, restarts } = (await readOperation(context, callId)) ?? {
    operationId: payload.operationId,
    startedAtMs: payload.started_at_ms,
    restarts: 0,
  };
  const audio = await openSpeechAudio(context, requireMedia(own.media), callId, payload);
  try {
    const answer = await provider.poll(operationId, audio, context.signal);
    if (answer.state === 'done') {
      const outcome = await store(context, callId, transcriptOf(provider, answer.heard, payload));
      await provider.forget?.(operationId, context.signal).catch(() => undefined);
      return outcome;
    }
    if (answer.state === 'pending')
      return snoozed(pollDelaySeconds(own.nowMs() - startedAtMs, own.pollIntervalMs), 'transcribing');
    if (!answer.retryable || restarts >= MAX_RESTARTS) throw new PermanentError(answer.type, answer.message);
    context.log.warn(`${answer.message}; another operation is begun`);
    await context.fence();
    const next = await provider.start(audio, context.signal);
    const record = { provider: provider.name, startedAtMs: own.nowMs(), restarts: restarts + 1 };
    await writeOperation(context, callId, { operationId: next, ...record });
    return snoozed(pollDelaySeconds(0, own.pollIntervalMs), 'transcribing');
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    return snoozed(error.retryAfterSeconds, 'quota');
  }
};

function transcriptOf(
  { name, model, isDraft }: SpeechProvider,
  heard: Heard,
  { duration_ms, language }: Context['payload'],
): Transcript {
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
    audioMs: payload.duration_ms,
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
  await tools.storage.delete(operationKey(callId));
  const result: PollResult = {
    transcriptHash: transcript.hash,
    provider: transcript.provider,
    audioSeconds: Math.round(transcript.audioMs / 100) / 10,
  };
  context.progress({ stage: 'transcribe', percent: 100, etaSeconds: 0 });
  return done(result, [{ kind: 'call_transcript', ...object, metadata: { hash: transcript.hash } }]);
}
