import type { PayloadOf } from '../../../src/core/definition.ts';
import { type ArtifactRecord, done, snoozed } from '../../../src/core/outcome.ts';
import type { transcribeStart } from '../../../src/domains/calls/definitions/transcribe-start.ts';
import type { StartResult } from '../../../src/domains/calls/pipeline/stage-results.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { QuotaUsedUp, type SpeechAudio } from '../../tools/speech/provider.ts';
import { beginOperation } from './begin-operation.ts';
import { callOfJob, requireOwnKey } from './call-of-job.ts';
import { readOperation } from './operation-record.ts';
import type { TranscribeOwn } from './own.ts';
import { OBSOLETE_AFTER, removeObsolete } from './remove-obsolete.ts';
import { openSpeechAudio } from './speech-audio.ts';

type Payload = PayloadOf<typeof transcribeStart>;

/** Where nothing recognises words, the times of speech are the transcript. */
export const SEGMENTS = 'segments';

/**
 * The calls system's `transcribe_start`: sends OGG Opus to the provider and begins its operation, once for a
 * recording.
 */
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
  if (earlier?.state === 'begun') {
    context.log.info('An earlier run has begun the operation');
    const { operationId, provider, startedAtMs, ogg } = earlier;
    const result = { ...begun(operationId, provider, startedAtMs), oggPath: ogg?.key ?? null };
    return done(result satisfies StartResult, ogg === null ? [] : [ogg]);
  }
  const provider = await own.speech();
  if (provider === null) return done(begun(SEGMENTS, SEGMENTS, own.nowMs()));
  const audio = openSpeechAudio(context, own.media, callId, payload);
  try {
    const ogg = provider.takesOgg ? await uploadOgg(context, audio) : null;
    // What works in `poll` has nothing to begin.
    const { operationId, startedAtMs } = provider.takesOgg
      ? await beginOperation(context, callId, provider, audio, ogg)
      : { operationId: 'at-once', startedAtMs: own.nowMs() };
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

async function uploadOgg(
  { tools, signal, fence }: HandlerContext,
  audio: SpeechAudio,
): Promise<ArtifactRecord> {
  const path = await audio.ogg.path();
  await fence();
  const stored = await tools.storage.put(audio.ogg.key, { path }, { signal, contentType: 'audio/ogg' });
  return { kind: 'call_ogg', ...stored, metadata: { [OBSOLETE_AFTER]: 'call_transcript' } };
}
