import { isAbsolute } from 'node:path';
import { PermanentError } from '../../../src/core/errors.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import type { Cut } from '../../tools/clip-args.ts';
import { type FrameTimes, frameTimes } from '../../tools/frame-times.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import { mp4Times } from '../../tools/mp4-times.ts';
import type { VideoSource } from '../videos/source.ts';

/** What the video system's payload asks for, milliseconds. */
export interface AskedRange {
  readonly t_start: number;
  readonly t_end: number;
  readonly padding_ms: number;
}

export interface ClipRangeMs {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Before the first picture that is wanted, whose printed time may be rounded up; no picture stands so near to
 * the one before.
 */
const SEEK_LEAD_SECONDS = 0.0005;
/** Gaps between pictures of a constant rate differ by the rounding of their times, at most. */
const IRREGULAR = 1.5;
const FPS = { slow: 30, fast: 60 } as const;

/**
 * The range with its padding, as far as the video reaches.
 * @param durationMs of the video; null where its file doesn't state it
 * @throws PermanentError `InvalidPayload` for a range that has no length, `ClipOutOfRange` when it begins
 *   past the end
 */
export function clampRange(asked: AskedRange, durationMs: number | null): ClipRangeMs {
  if (asked.t_end <= asked.t_start) {
    throw new PermanentError(
      'InvalidPayload',
      `t_end is ${asked.t_end}; allowed: more than t_start, which is ${asked.t_start}`,
    );
  }
  if (durationMs !== null && asked.t_start >= durationMs) throw outOfRange(asked.t_start, durationMs);
  return {
    startMs: Math.max(0, asked.t_start - asked.padding_ms),
    endMs: Math.min(asked.t_end + asked.padding_ms, durationMs ?? Number.POSITIVE_INFINITY),
  };
}

/**
 * Looks when pictures are shown in and after the range.
 * @param streamIndex null: the first that is no cover art
 */
export function lookAtRange(
  { signal }: Pick<HandlerContext, 'signal'>,
  { ffprobePath }: Pick<MediaTools, 'ffprobePath'>,
  path: string,
  { startMs, endMs }: ClipRangeMs,
  cwd: string,
  streamIndex: number | null = null,
  { backSeconds = 0, pictureSeconds = null }: { backSeconds?: number; pictureSeconds?: number | null } = {},
): Promise<FrameTimes> {
  const [fromSeconds, toSeconds] = [startMs / 1000, endMs / 1000];
  return frameTimes({
    ffprobePath,
    path,
    formats: VIDEO_FORMATS,
    streamIndex,
    fromSeconds,
    toSeconds,
    backSeconds,
    pictureSeconds,
    cwd,
    signal,
  });
}

/**
 * How far before the range is looked for a picture that a decoder can begin with: most have one within
 * seconds.
 */
const BACK_SECONDS = [10, 120, Number.POSITIVE_INFINITY] as const;
/** Without an index a seek lands some packets off. */
const SEEK_MARGIN_SECONDS = 3;

/**
 * Whether a file says where its pictures lie; where none does, a seek lands somewhere near, perhaps behind
 * what is wanted.
 */
export function hasIndex({ info }: Pick<VideoSource, 'info'>): boolean {
  return /^(mov|matroska)/.test(info.formatName);
}

/** Pictures of a range in a format without an index. */
export interface SoughtPictures extends Pick<FrameTimes, 'times' | 'isPartial'> {
  /** Where to begin to decode. */
  readonly seekSeconds: number;
}

/**
 * The same of a format without an index, and from where on to decode: from well before a picture that a
 * decoder can begin with, or else from the beginning of the file.
 */
export async function lookBack(
  context: Pick<HandlerContext, 'signal'>,
  media: Pick<MediaTools, 'ffprobePath'>,
  path: string,
  range: ClipRangeMs,
  cwd: string,
  { index, fps }: VideoSource['video'],
): Promise<SoughtPictures> {
  for (const backSeconds of BACK_SECONDS) {
    const { times, keySeconds, isPartial } = await lookAtRange(context, media, path, range, cwd, index, {
      backSeconds,
      pictureSeconds: fps === null ? null : 1 / fps,
    });
    const first = times[0];
    const isWhole = backSeconds * 1000 >= range.startMs;
    const isSure = keySeconds !== null && first !== undefined && first * 1000 <= range.startMs + 1;
    if (isSure && !isWhole)
      return { times, isPartial, seekSeconds: Math.max(0, keySeconds - SEEK_MARGIN_SECONDS) };
    if (isWhole) return { times, isPartial, seekSeconds: 0 };
  }
  return { times: [], isPartial: false, seekSeconds: 0 };
}

/** The same of a local file that states it itself; null for any other. */
export async function ownTimes(
  { path, info, video }: VideoSource,
  { startMs, endMs }: ClipRangeMs,
): Promise<readonly number[] | null> {
  const { formatName, startSeconds } = info;
  if (!formatName.split(',').includes('mp4') || startSeconds === null || !isAbsolute(path)) return null;
  return await mp4Times({
    path,
    streamIndex: video.index,
    startSeconds,
    fromSeconds: startMs / 1000,
    toSeconds: endMs / 1000,
  });
}

/**
 * Where to cut, so that the first picture is the one on screen when the range begins.
 * @param times when pictures are shown, from that one on
 * @param firstMs where the range without its padding begins
 * @param sought of a format without an index; null: what is decoded begins with the first picture
 * @throws PermanentError `ClipOutOfRange` when there is no picture left at `firstMs`
 */
export function planCut(
  times: readonly number[],
  { info, video }: VideoSource,
  range: ClipRangeMs,
  firstMs: number,
  sought: SoughtPictures | null = null,
): Cut {
  const startSeconds = range.startMs / 1000;
  const first = times[0];
  // A file that states no times is cut where it was asked to be, to the picture that follows.
  if (first === undefined)
    return {
      seekSeconds: sought?.seekSeconds ?? startSeconds,
      firstSeconds: startSeconds,
      startSeconds,
      endSeconds: range.endMs / 1000,
      constantFps: null,
    };
  // Where a file does not state its length, its pictures do.
  const lastMs = Math.round(((times.at(-1) ?? first) + frameSeconds(video.fps)) * 1000);
  const isOpen = info.durationSeconds === null;
  if (isOpen && lastMs <= firstMs) throw outOfRange(firstMs, lastMs);
  const endSeconds = (isOpen ? Math.min(range.endMs, lastMs) : range.endMs) / 1000;
  const firstSeconds = Math.min(first, startSeconds);
  const seekSeconds = sought?.seekSeconds ?? Math.max(0, firstSeconds - SEEK_LEAD_SECONDS);
  return {
    seekSeconds,
    firstSeconds,
    startSeconds,
    endSeconds,
    // Times that the file does not give are worked out as if the rate were constant.
    constantFps: sought?.isPartial ? null : constantFps(times, endSeconds, video.fps),
  };
}

/**
 * The rate at which pictures are to be repeated; null where they come regularly, up to the end of the range.
 */
function constantFps(times: readonly number[], endSeconds: number, fps: number | null): number | null {
  const until = times.findIndex((time) => time >= endSeconds);
  const shown = [...(until === -1 ? times : times.slice(0, until + 1))];
  // The last picture stands until the end of the video.
  if (until === -1) shown.push(Math.max(endSeconds, (shown.at(-1) ?? 0) + frameSeconds(fps)));
  const gaps = shown.slice(1).map((time, index) => time - (shown[index] as number));
  const shortest = Math.min(...gaps, frameSeconds(fps));
  const longest = Math.max(0, ...gaps);
  if (longest <= IRREGULAR * shortest) return null;
  return shortest < 1 / 45 ? FPS.fast : FPS.slow;
}

function frameSeconds(fps: number | null): number {
  return fps === null ? 0.1 : 1 / fps;
}

function outOfRange(startMs: number, durationMs: number): PermanentError {
  return new PermanentError(
    'ClipOutOfRange',
    `t_start is ${startMs} ms; allowed: below ${durationMs} ms, the length of the video`,
  );
}
