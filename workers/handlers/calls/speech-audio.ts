import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { answerKey, transcriptionAudioKey } from '../../../src/storage/call-keys.ts';
import { putBytes } from '../../../src/storage/put-bytes.ts';
import type { HandlerContext, MediaLimits, MediaTools } from '../../handler.ts';
import { opusArgs, wavArgs } from '../../tools/audio/audio-args.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import type { SpeechAudio } from '../../tools/speech/provider.ts';
import { requireMedia } from './call-of-job.ts';
import { localObject } from './local-object.ts';

interface AudioFacts {
  readonly audio_path: string;
  readonly channels: number;
  readonly duration_ms: number;
  readonly language?: string;
  readonly speaker_count?: number;
}

const TIMEOUT_MS = 1_800_000;

/**
 * The stored sound of a call in the forms that providers take. Nothing is fetched or made before it is asked
 * for: most looks need none of it.
 */
export function openSpeechAudio(
  context: HandlerContext,
  media: MediaTools | null,
  callId: string,
  { audio_path, channels, duration_ms, language, speaker_count }: AudioFacts,
): SpeechAudio {
  let local: Promise<string> | undefined;
  let whole: Promise<string> | undefined;
  const make = async (
    name: string,
    args: (flac: string, limits: MediaLimits) => readonly string[],
  ): Promise<string> => {
    const { ffmpegPath, limits } = requireMedia(media);
    local ??= localObject(context, audio_path, 'audio.flac');
    const flac = await local;
    const cwd = await context.tools.tempDir();
    const { signal } = context;
    await runFfmpeg({ ffmpegPath, args: args(flac, limits), cwd, timeoutMs: TIMEOUT_MS, signal });
    return join(cwd, name);
  };
  const ogg = (name: string, channel: number | null) =>
    make(name, (flac, limits) => opusArgs(flac, name, { channel, channels, limits }));
  return {
    channels,
    durationMs: duration_ms,
    language: language ?? null,
    speakerCount: speaker_count ?? 0,
    directory: () => context.tools.tempDir(),
    ogg: { key: transcriptionAudioKey(callId), path: () => (whole ??= ogg('all.ogg', null)) },
    oggOf: (channel) => ogg(`${channel}.ogg`, channel),
    wavOf: (channel) =>
      make(`${channel}.wav`, (flac, limits) =>
        wavArgs(flac, `${channel}.wav`, { channel, channels, limits }),
      ),
    answerOf: async (channel, ask) => {
      const { tools, signal } = context;
      const key = answerKey(callId, channel);
      if ((await tools.storage.stat(key)) !== null)
        return await text((await tools.storage.get(key, { signal })).stream);
      await context.fence();
      const answer = await ask();
      await putBytes(tools.storage, key, answer, { signal });
      return answer;
    },
  };
}
