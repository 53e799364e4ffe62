import type { MediaTools } from '../../handler.ts';
import { MEDIA_ENVIRONMENT } from '../media-environment.ts';
import { throwIfFailed } from '../media-error.ts';
import { runProcess } from '../process.ts';
import { measureArgs } from './audio-args.ts';
import { type SoundMap, SoundMeter } from './sound-meter.ts';

/** A recording's sound, and how loud it is as a whole (EBU R 128). */
export interface MeasuredSound extends SoundMap {
  /** Null where it is too quiet or too short to be measured. */
  readonly loudnessLufs: number | null;
}

/**
 * Measures a FLAC of 16 kHz.
 * @throws MediaToolError, PermanentError; the signal's reason
 */
export async function measureSound(
  media: MediaTools,
  flac: string,
  options: { channels: number; cwd: string; timeoutMs: number; stallTimeoutMs: number; signal: AbortSignal },
): Promise<MeasuredSound> {
  const meter = new SoundMeter(options.channels);
  const { channels: _channels, ...limits } = options;
  const result = await runProcess({
    file: media.ffmpegPath,
    args: measureArgs(flac, media.limits),
    env: MEDIA_ENVIRONMENT,
    ...limits,
    pipes: {
      count: 1,
      read: async ([samples], progressed) => {
        if (samples === undefined) throw new Error('ffmpeg has not got its pipe');
        for await (const chunk of samples as AsyncIterable<Buffer>) {
          meter.add(chunk);
          progressed();
        }
      },
    },
  });
  throwIfFailed('ffmpeg', result, options.signal);
  const said = [...result.stderr.matchAll(/I:\s+(-?\d+(?:\.\d+)?) LUFS/g)].at(-1)?.[1];
  const loudness = said === undefined ? Number.NaN : Number(said);
  return {
    ...meter.map(),
    // It reports -70 for silence, the floor of its scale.
    loudnessLufs: Number.isFinite(loudness) && loudness > -70 ? loudness : null,
  };
}
