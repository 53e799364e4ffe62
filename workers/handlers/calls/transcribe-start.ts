import type { PayloadOf } from '../../../src/core/definition.ts';
import { type ArtifactRecord, done, snoozed } from '../../../src/core/outcome.ts';
import type { transcribeStart } from '../../../src/domains/calls/definitions/transcribe-start.ts';
import type { StartResult } from '../../../src/domains/calls/pipeline/stage-results.ts';
import { transcriptionAudioKey } from '../../../src/storage/call-keys.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { QuotaUsedUp, type SpeechAudio, type SpeechProvider } from '../../tools/speech/provider.ts';
import { callOfJob, requireMedia, requireOwnKey } from './call-of-job.ts';
import { readOperation, writeOperation } from './operation-record.ts';
import type { TranscribeOwn } from './own.ts';
import { OBSOLETE_AFTER, removeObsolete } from './remove-obsolete.ts';
import { openSpeechAudio } from './speech-audio.ts';

type Payload = PayloadOf<typeof transcribeStart>;

/** Where nothing recognises words, the times of speech are the transcript. */
export const SEGMENTS = 'segments';

/** The calls system's `transcribe_start`: sends OGG Opus to the provider and begins its operation, once for a recording. */
export const transcribeStartHandler: Handler<Payload, TranscribeOwn> = async (context) => {
  const { payload, own } = context;
  const callId = callOfJob(payload, context.subject);
  requireOwnKey(payload.audio_path, callId, context.tenantId);
  context.progress({ stage: 'start', percent: 0 });
  await removeObsolete(context, 'call_audio');
  const transcript = await own.call.findTranscript();
  if (transcript !== null) {
    context.log.info('An earlier run has the transcript');
    return done({
      ...begun(null, transcript.provider, 0),
      transcriptHash: transcript.hash,
    } satisfies StartResult);
  }
  const earlier = await readOperation(context, callId);
  if (earlier !== null) {
    context.log.info('An earlier run has begun the operation');
    const stat = await context.tools.storage.stat(transcriptionAudioKey(callId));
    return done({
      ...begun(earlier.operationId, earlier.provider, earlier.startedAtMs),
      oggPath: stat?.key ?? null,
    } satisfies StartResult);
  }
  const provider = await own.speech();
  if (provider === null) return done(begun(SEGMENTS, SEGMENTS, own.nowMs()));
  const audio = await openSpeechAudio(context, requireMedia(own.media), callId, payload);
  try {
    const ogg = provider.takesOgg ? await uploadOgg(context, audio) : null;
    const startedAtMs = own.nowMs();
    const operationId = await begin(context, callId, provider, audio, startedAtMs);
    const result = { ...begun(operationId, provider.name, startedAtMs), oggPath: ogg?.key ?? null };
    return done(result satisfies StartResult, ogg === null ? [] : [ogg]);
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    context.log.warn(error.message);
    return snoozed(error.retryAfterSeconds, 'quota');
  }
};

function begun(operationId: string | null, provider: string, startedAtMs: number): StartResult {
  return { operationId, provider, startedAtMs, oggPath: null, transcriptHash: null };
}

async function begin(
  context: HandlerContext<Payload, TranscribeOwn>,
  callId: string,
  provider: SpeechProvider,
  audio: SpeechAudio,
  startedAtMs: number,
): Promise<string> {
  // Right before: an operation costs money, and an overtaken run has none to begin.
  await context.fence();
  const operationId = await provider.start(audio, context.signal);
  if (provider.takesOgg)
    await writeOperation(context, callId, { operationId, provider: provider.name, startedAtMs, restarts: 0 });
  return operationId;
}

async function uploadOgg(
  { tools, signal, fence }: HandlerContext,
  audio: SpeechAudio,
): Promise<ArtifactRecord> {
  const path = await audio.ogg.path();
  await fence();
  const stored = await tools.storage.put(audio.ogg.key, { path }, { signal, contentType: 'audio/ogg' });
  return { kind: 'call_ogg', ...stored, metadata: { [OBSOLETE_AFTER]: 'call_transcript' } };
}
