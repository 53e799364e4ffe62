import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { type ArtifactRecord, done, type Outcome } from '../../../src/core/outcome.ts';
import type { extractAudio } from '../../../src/domains/calls/definitions/extract-audio.ts';
import type { ExtractResult } from '../../../src/domains/calls/pipeline/stage-results.ts';
import { DownloadRefused, openDownload } from '../../../src/outgoing/download.ts';
import { permanentOutgoing } from '../../../src/outgoing/outgoing-error.ts';
import { callAudioKey, recordingKey, waveformKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { Handler, HandlerContext, MediaTools } from '../../handler.ts';
import { extractArgs } from '../../tools/audio/audio-args.ts';
import { type MeasuredSound, measureSound } from '../../tools/audio/measure-sound.ts';
import { checkDiskSpace } from '../../tools/disk-space.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import { probe } from '../../tools/ffprobe.ts';
import { RECORDING_FORMATS } from '../../tools/media-formats.ts';
import { callOfJob, requireMedia, requireOwnKey } from './call-of-job.ts';
import { localObject } from './local-object.ts';
import type { ExtractOwn } from './own.ts';
import { asRecordingError, notARecording, recordingDamaged, recordingTooLong } from './recording-errors.ts';
import { OBSOLETE_AFTER, removeObsolete } from './remove-obsolete.ts';

type Context = HandlerContext<PayloadOf<typeof extractAudio>, ExtractOwn>;

export interface ExtractLimits {
  readonly maxCallSeconds: number;
  readonly maxSizeBytes: number;
}

const AUDIO_KIND = 'call_audio';
const STALL_TIMEOUT_MS = 120_000;
const MIN_TIMEOUT_MS = 600_000;
/** Shorter than the file says by more than this share, and a second: it was cut off. */
const DAMAGED_SHARE = 0.02;

/**
 * The calls system's `extract_audio`: FLAC at a fixed place, its loudness, silences and waveform; once for a
 * recording.
 */
export function createExtractAudio(
  limits: ExtractLimits,
): Handler<PayloadOf<typeof extractAudio>, ExtractOwn> {
  return async (context) => {
    const callId = callOfJob(context.payload, context.subject);
    context.progress({ stage: 'probe', percent: 0 });
    const earlier = (await context.artifacts.find(AUDIO_KIND))[0];
    if (earlier !== undefined && (await context.tools.storage.stat(earlier.key)) !== null) {
      context.log.info('An earlier run has taken the sound out');
      await removeObsolete(context, AUDIO_KIND);
      return done(earlier.metadata?.['result'] ?? null, [earlier]);
    }
    const media = requireMedia(context.own.media);
    const key = await recordingOf(context, callId, limits);
    const path = await localObject(context, key, 'recording');
    const sound = await soundOf(context, media, path, limits).catch((error: unknown) => {
      throw asRecordingError(error);
    });
    return await publish(context, callId, key, path, sound);
  };
}

/** The recording's key; what lies at a URL is fetched first. */
async function recordingOf(context: Context, callId: string, limits: ExtractLimits): Promise<string> {
  const { payload, tenantId, tools, signal } = context;
  if (payload.recording_path !== undefined) return requireOwnKey(payload.recording_path, callId, tenantId);
  if (payload.source_url === undefined)
    throw new PermanentError('InvalidPayload', 'recording_path is missing; allowed: a key, or source_url');
  const key = recordingKey(callId, new URL(payload.source_url).pathname);
  if ((await tools.storage.stat(key)) !== null) return key;
  context.progress({ stage: 'fetch', percent: null });
  try {
    const { stream } = await openDownload(context.own.outgoing(), payload.source_url, { signal });
    const publishing = async (publish: () => Promise<void>): Promise<void> => {
      await context.fence();
      await publish();
    };
    try {
      await tools.storage.put(key, { stream }, { maxSizeBytes: limits.maxSizeBytes, signal, publishing });
    } finally {
      stream.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DownloadRefused && !error.isPassing)
      throw new PermanentError('RecordingNotFound', `The recording: ${error.message}`, error);
    throw permanentOutgoing(error) ?? error;
  }
  return key;
}

interface ExtractedSound extends MeasuredSound {
  readonly path: string;
  readonly channels: number;
}

async function soundOf(
  context: Context,
  media: MediaTools,
  path: string,
  limits: ExtractLimits,
): Promise<ExtractedSound> {
  const { signal } = context;
  const cwd = await context.tools.tempDir();
  const info = await probe(path, {
    ffprobePath: media.ffprobePath,
    formats: RECORDING_FORMATS,
    cwd,
    signal,
    limits: media.limits,
  });
  if (info.audio === null) throw notARecording('has no sound');
  const { durationSeconds } = info;
  if (durationSeconds !== null && durationSeconds > limits.maxCallSeconds)
    throw recordingTooLong(durationSeconds, limits.maxCallSeconds);
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, 4_000 * (durationSeconds ?? limits.maxCallSeconds));
  const extract = async (channels: number): Promise<ExtractedSound> => {
    await checkDiskSpace(cwd);
    const name = `audio-${channels}.flac`;
    const streamIndex = info.audio?.index ?? 0;
    await runFfmpeg({
      ffmpegPath: media.ffmpegPath,
      args: extractArgs(path, RECORDING_FORMATS, {
        streamIndex,
        channels,
        output: name,
        limits: media.limits,
      }),
      cwd,
      timeoutMs,
      stallTimeoutMs: STALL_TIMEOUT_MS,
      signal,
      onProgress: ({ outSeconds }) => {
        if (outSeconds > limits.maxCallSeconds + 1) throw recordingTooLong(outSeconds, limits.maxCallSeconds);
        const percent = durationSeconds === null ? null : Math.min(70, (70 * outSeconds) / durationSeconds);
        context.progress({ stage: 'extract', percent });
      },
    });
    const flac = join(cwd, name);
    context.progress({ stage: 'measure', percent: 75 });
    const sound = await measureSound(media, flac, {
      channels,
      cwd,
      timeoutMs,
      stallTimeoutMs: STALL_TIMEOUT_MS,
      signal,
    });
    return { ...sound, path: flac, channels };
  };
  const sound = await extract(info.audio.channels === 2 ? 2 : 1);
  if (sound.durationMs === 0) throw notARecording('has a stream of sound with nothing in it');
  if (
    durationSeconds !== null &&
    isCutOff(sound.durationMs / 1000, durationSeconds, info.audio.durationSeconds)
  )
    throw recordingDamaged(sound.durationMs / 1000, durationSeconds);
  // Two channels with one sound are one channel: nobody is to be heard twice.
  return sound.isMonoInStereo ? await extract(1) : sound;
}

/** A video may go on after its sound; the stream's own length says so. */
function isCutOff(readSeconds: number, fileSeconds: number, streamSeconds: number | null): boolean {
  const saidSeconds = streamSeconds ?? fileSeconds;
  return saidSeconds - readSeconds > Math.max(1, DAMAGED_SHARE * saidSeconds);
}

async function publish(
  context: Context,
  callId: string,
  key: string,
  recordingPath: string,
  sound: ExtractedSound,
): Promise<Outcome> {
  const { payload, tools, signal } = context;
  const { path, channels, loudnessLufs, isSilent, durationMs, peaks, peaksPerSecond, speech, silences } =
    sound;
  const waveform = { durationMs, channels, peaksPerSecond, peaks, speech, silences };
  await writeFile(join(await tools.tempDir(), 'waveform.json'), JSON.stringify(waveform));
  const transcriptHash = isSilent ? await storeSilence(context, durationMs) : null;
  const recording = await recordOf(tools.storage, key, recordingPath, payload.keep_recording !== false);
  await context.fence();
  const audio = await tools.storage.put(
    callAudioKey(callId),
    { path },
    { signal, contentType: 'audio/flac' },
  );
  const drawn = await putBytes(tools.storage, waveformKey(callId), JSON.stringify(waveform), { signal });
  const result: ExtractResult = {
    audioPath: audio.key,
    recordingKey: key,
    sizeBytes: recording.sizeBytes,
    durationMs,
    channelCount: channels,
    loudnessLufs,
    isSilent,
    transcriptHash,
  };
  context.progress({ stage: 'store', percent: 100, etaSeconds: 0 });
  return done(result, [
    { kind: AUDIO_KIND, ...audio, metadata: { result } },
    { kind: 'call_waveform', ...drawn },
    recording,
  ]);
}

/** An empty transcript that says why it is empty: nothing is sent to anybody. */
async function storeSilence({ own }: Context, audioMs: number): Promise<string> {
  return await own.call.storeTranscript({
    ...{ provider: 'none', model: null, language: null, isDraft: false },
    ...{ hasText: false, emptyReason: 'silent', audioMs, operationCount: 0, costMicros: null, turns: [] },
  });
}

async function recordOf(
  storage: HandlerContext['tools']['storage'],
  key: string,
  path: string,
  isKept: boolean,
): Promise<ArtifactRecord> {
  const stat = await storage.stat(key);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return {
    kind: 'call_recording',
    key,
    sizeBytes: stat?.sizeBytes ?? 0,
    sha256: hash.digest('hex'),
    contentType: stat?.contentType ?? 'application/octet-stream',
    // What others have put into the inbox is theirs.
    ...(!isKept && key.startsWith('calls/') && { metadata: { [OBSOLETE_AFTER]: AUDIO_KIND } }),
  };
}
