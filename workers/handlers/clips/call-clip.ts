import { join } from 'node:path';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { done, type Outcome } from '../../../src/core/outcome.ts';
import type { callClip } from '../../../src/domains/clips/call-clip.ts';
import type { ClipResult } from '../../../src/domains/clips/clip-pipeline.ts';
import { callClipKey } from '../../../src/storage/call-keys.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { clipAudioArgs } from '../../tools/audio/audio-args.ts';
import { checkDiskSpace } from '../../tools/disk-space.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import { probe } from '../../tools/ffprobe.ts';
import { RECORDING_FORMATS } from '../../tools/media-formats.ts';
import { requireMedia, requireOwnKey } from '../calls/call-of-job.ts';
import { localObject } from '../calls/local-object.ts';
import { asRecordingError } from '../calls/recording-errors.ts';
import type { MediaOwn } from '../videos/own.ts';

type Payload = PayloadOf<typeof callClip>;
type Context = HandlerContext<Payload, MediaOwn>;

const OUTPUT_NAME = 'clip.m4a';
const MIN_TIMEOUT_MS = 600_000;
const STALL_TIMEOUT_MS = 120_000;

/**
 * A piece of a call's sound, once for a range: from the recording where it is kept, which sounds better, else
 * from what was taken out of it.
 */
export const callClipHandler: Handler<Payload, MediaOwn> = async (context) => {
  const { payload, subject, tenantId, tools } = context;
  const clipId = payload.clip_id.toLowerCase();
  if (subject?.type !== 'clip' || subject.id.toLowerCase() !== clipId)
    throw new PermanentError(
      'InvalidPayload',
      `clip_id is ${clipId}, but the job's subject is ${subject?.type ?? 'none'} ${subject?.id ?? ''}`,
    );
  const callId = payload.call_id.toLowerCase();
  const key = callClipKey(callId, clipId);
  context.progress({ stage: 'probe', percent: 0 });
  const earlier = (await context.artifacts.find('clip')).find((artifact) => artifact.key === key);
  if (earlier?.metadata?.['result'] !== undefined && (await tools.storage.stat(key)) !== null) {
    context.log.info('An earlier run has made it');
    return done(earlier.metadata['result'], [earlier]);
  }
  for (const path of [payload.recording_path, payload.audio_path]) {
    if (path === undefined) continue;
    requireOwnKey(path, callId, tenantId);
    if (path !== payload.audio_path && (await tools.storage.stat(path)) === null) continue;
    const input = await localObject(context, path, 'recording');
    return await cut(context, key, input).catch((error: unknown) => {
      throw asRecordingError(error);
    });
  }
  throw new PermanentError('RecordingNotFound', `There is no sound of call ${callId}`);
};

async function cut(context: Context, key: string, input: string): Promise<Outcome> {
  const { payload, signal, tools } = context;
  const { ffmpegPath, ffprobePath, limits } = requireMedia(context.own.media);
  const cwd = await tools.tempDir();
  const info = await probe(input, { ffprobePath, formats: RECORDING_FORMATS, cwd, signal, limits });
  if (info.audio === null) throw new PermanentError('NotARecording', 'The recording has no sound');
  const startMs = Math.max(0, payload.t_start - payload.padding_ms);
  const lengthMs =
    Math.min(
      payload.t_end + payload.padding_ms,
      info.durationSeconds === null ? Number.POSITIVE_INFINITY : Math.floor(info.durationSeconds * 1000),
    ) - startMs;
  if (lengthMs <= 0)
    throw new PermanentError(
      'ClipOutOfRange',
      `t_start is ${payload.t_start} ms, behind the end of the call`,
    );
  await checkDiskSpace(cwd);
  let outSeconds = 0;
  await runFfmpeg({
    ffmpegPath,
    args: clipAudioArgs(input, RECORDING_FORMATS, {
      streamIndex: info.audio.index,
      ...{ startSeconds: startMs / 1000, lengthSeconds: lengthMs / 1000 },
      channels: info.audio.channels === 2 ? 2 : 1,
      ...{ output: OUTPUT_NAME, limits },
    }),
    cwd,
    ...{ timeoutMs: Math.max(MIN_TIMEOUT_MS, 4 * lengthMs), stallTimeoutMs: STALL_TIMEOUT_MS, signal },
    onProgress: (progress) => {
      outSeconds = progress.outSeconds;
      context.progress({ stage: 'clip', percent: Math.min(95, (95_000 * outSeconds) / lengthMs) });
    },
  });
  if (outSeconds <= 0) throw new PermanentError('ClipOutOfRange', 'The recording has no sound in that range');
  context.progress({ stage: 'upload', percent: 97 });
  await context.fence();
  const path = join(cwd, OUTPUT_NAME);
  const stored = await tools.storage.put(key, { path }, { signal, contentType: 'audio/mp4' });
  const endMs = startMs + Math.min(lengthMs, Math.round(outSeconds * 1000));
  const file = { objectKey: key, sizeBytes: stored.sizeBytes, sha256: stored.sha256 };
  const result: ClipResult = { ...file, startMs, endMs, widthPx: null, heightPx: null };
  context.progress({ stage: 'upload', percent: 100, etaSeconds: 0 });
  return done(result, [{ kind: 'clip', ...stored, metadata: { result } }]);
}
