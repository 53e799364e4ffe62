import { join } from 'node:path';
import { transcriptionAudioKey } from '../../../src/storage/call-keys.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { opusArgs, wavArgs } from '../../tools/audio/audio-args.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import type { SpeechAudio } from '../../tools/speech/provider.ts';
import { localObject } from './local-object.ts';

interface AudioFacts {
  readonly audio_path: string;
  readonly channels: number;
  readonly duration_ms: number;
  readonly language?: string;
  readonly speaker_count?: number;
}

const TIMEOUT_MS = 1_800_000;

/** The stored sound of a call in the forms that providers take. */
export async function openSpeechAudio(
  context: HandlerContext,
  media: MediaTools,
  callId: string,
  { audio_path, channels, duration_ms, language, speaker_count }: AudioFacts,
): Promise<SpeechAudio> {
  const flac = await localObject(context, audio_path, 'audio.flac');
  const directory = await context.tools.tempDir();
  const make = async (name: string, args: readonly string[]): Promise<string> => {
    await runFfmpeg({
      ffmpegPath: media.ffmpegPath,
      args,
      cwd: directory,
      timeoutMs: TIMEOUT_MS,
      signal: context.signal,
    });
    return join(directory, name);
  };
  const { limits } = media;
  let whole: Promise<string> | undefined;
  return {
    channels,
    durationMs: duration_ms,
    language: language ?? null,
    speakerCount: speaker_count ?? 0,
    directory,
    ogg: {
      key: transcriptionAudioKey(callId),
      path: () => (whole ??= make('all.ogg', opusArgs(flac, 'all.ogg', { channel: null, channels, limits }))),
    },
    oggOf: (channel) =>
      make(`${channel}.ogg`, opusArgs(flac, `${channel}.ogg`, { channel, channels, limits })),
    wavOf: (channel) =>
      make(`${channel}.wav`, wavArgs(flac, `${channel}.wav`, { channel, channels, limits })),
  };
}
