import type { MediaLimits } from '../../handler.ts';
import { inputArgs, PREFIX } from '../ffmpeg-args.ts';
import { SAMPLE_RATE_HZ } from './sound-meter.ts';

/** File descriptor on which samples come. */
const SAMPLES_PIPE = 3;
/** Bit rate for one channel of speech. */
const OPUS_BIT_RATE = '32k';

/** The sound of a recording as FLAC: 16 kHz, one or two channels. */
export function extractArgs(
  input: string,
  formats: readonly string[],
  {
    streamIndex,
    channels,
    output,
    limits,
  }: { streamIndex: number; channels: number; output: string; limits: MediaLimits },
): readonly string[] {
  return [
    ...PREFIX,
    ...inputArgs(input, formats, limits),
    ...['-map', `0:${streamIndex}`, '-vn', '-sn', '-dn', '-map_metadata', '-1'],
    ...['-ac', String(channels), '-ar', String(SAMPLE_RATE_HZ), '-c:a', 'flac', '-bitexact'],
    ...['-progress', 'pipe:1', '-nostats', output],
  ];
}

/** Its samples on a pipe, and its loudness in what ffmpeg says at its end. */
export function measureArgs(flac: string, limits: MediaLimits): readonly string[] {
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'info'],
    ...inputArgs(flac, ['flac'], limits),
    ...['-map', '0:a', '-f', 's16le', `pipe:${SAMPLES_PIPE}`],
    ...['-map', '0:a', '-af', 'ebur128=framelog=verbose', '-f', 'null', '-'],
  ];
}

/**
 * A piece of the sound as M4A, which every browser plays, its channels as they are up to two. Sought by
 * decoding: to the sample.
 */
export function clipAudioArgs(
  input: string,
  formats: readonly string[],
  {
    streamIndex,
    startSeconds,
    lengthSeconds,
    channels,
    output,
    limits,
  }: {
    streamIndex: number;
    startSeconds: number;
    lengthSeconds: number;
    channels: number;
    output: string;
    limits: MediaLimits;
  },
): readonly string[] {
  return [
    ...PREFIX,
    ...['-ss', startSeconds.toFixed(3)],
    ...inputArgs(input, formats, limits),
    ...[
      '-map',
      `0:${streamIndex}`,
      '-vn',
      '-sn',
      '-dn',
      '-map_metadata',
      '-1',
      '-t',
      lengthSeconds.toFixed(3),
    ],
    ...['-ac', String(channels), '-c:a', 'aac', '-b:a', channels === 1 ? '96k' : '160k'],
    ...['-movflags', '+faststart', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
    ...['-progress', 'pipe:1', '-nostats', output],
  ];
}

/** One channel, or all of them, as OGG Opus. */
export function opusArgs(
  flac: string,
  output: string,
  { channel, channels, limits }: { channel: number | null; channels: number; limits: MediaLimits },
): readonly string[] {
  return [
    ...PREFIX,
    ...inputArgs(flac, ['flac'], limits),
    ...(channel === null ? [] : channelFilter(channel, channels)),
    // One and the same file for the same sound: a second run replaces it by itself.
    ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
    ...['-c:a', 'libopus', '-b:a', OPUS_BIT_RATE, '-application', 'voip', output],
  ];
}

/** One channel as WAV. */
export function wavArgs(
  flac: string,
  output: string,
  { channel, channels, limits }: { channel: number; channels: number; limits: MediaLimits },
): readonly string[] {
  return [
    ...PREFIX,
    ...inputArgs(flac, ['flac'], limits),
    ...channelFilter(channel, channels),
    ...['-c:a', 'pcm_s16le', '-bitexact', output],
  ];
}

function channelFilter(channel: number, channels: number): readonly string[] {
  return channels === 1 ? [] : ['-af', `pan=mono|c0=c${channel}`];
}
