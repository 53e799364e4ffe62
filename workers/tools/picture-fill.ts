import { lastOfEachSlot } from './frame-args.ts';

/** When what is streamed ends, and how it comes. */
export interface PictureTiming {
  /** From the start of the file. */
  readonly endSeconds: number;
  /** Pictures come at one rate from the start to the end. */
  readonly isSteady: boolean;
  /** Sound begins late, or is missing for a while on the way. */
  readonly soundHasHoles: boolean;
}

const SECOND_US = 1_000_000;
/** The rate of the copies that fill gaps. */
const FILL_FPS = 25;
/** The longest that a picture stands without a copy: players and segments need one now and then. */
const MAX_GAP_US = SECOND_US;
/** At the beginning of a segment, so that all are of one length, a copy may come sooner. */
const MIN_GAP_US = SECOND_US / 10;

/**
 * Filters between two labels that make pictures of any times a stream without holes, each picture at its own
 * time: from the start of the file, the first one copied back to it; a copy of what stands after a second at
 * most and at the start of each segment; the last one held to the end of the file. What comes regularly
 * passes as it is.
 *
 * Copies come on a grid, one microsecond off, from a second branch; a copy passes only when no picture has
 * come for long enough. None of it copies pixels.
 * The ffmpeg of 2018 never comes to an end where branches of two rates meet; there, pictures come at one
 * constant rate.
 * @param options.fps of the video on average; more than `maxFps` are thinned out, the last of each moment is
 *   kept
 * @param options.joinsRates whether the ffmpeg can do the former
 */
export function fillFilters(
  from: string,
  to: string,
  { endSeconds }: PictureTiming,
  options: {
    readonly fps: number | null;
    readonly maxFps: number;
    readonly segmentSeconds: number;
    readonly joinsRates: boolean;
  },
): readonly string[] {
  const { fps, maxFps, segmentSeconds } = options;
  if (!options.joinsRates) {
    const rate = fps === null || fps < FILL_FPS ? FILL_FPS : Math.min(fps, maxFps);
    const held = `tpad=stop_mode=clone:stop=${Math.ceil(endSeconds * rate)}`;
    return [`[${from}]fps=${rate}:start_time=0,${held},trim=end=${endSeconds.toFixed(6)}[${to}]`];
  }
  const endUs = Math.round(endSeconds * SECOND_US);
  const isFast = fps !== null && fps > maxFps * 1.02;
  const stepUs = SECOND_US / FILL_FPS;
  const segmentUs = segmentSeconds * SECOND_US;
  const gap = '(pts-prev_selected_pts)';
  const isFirst = 'isnan(prev_selected_pts)';
  const isDue = [
    `gte(${gap}\\,${MAX_GAP_US})`,
    `gt(floor(pts/${segmentUs})\\,floor(prev_selected_pts/${segmentUs}))*gte(${gap}\\,${MIN_GAP_US})`,
    `gte(pts\\,${endUs - stepUs})*gte(${gap}\\,${stepUs - 1000})`,
  ].join('+');
  return [
    `[${from}]settb=1/${SECOND_US}[${isFast ? 'fast' : 'timed'}]`,
    ...(isFast ? lastOfEachSlot('fast', 'timed', maxFps) : []),
    '[timed]split=2[own][standing]',
    '[own]setpts=2*floor(PTS/2)[even]',
    // Up: a picture must not be seen before its time.
    [
      `[standing]fps=${FILL_FPS}:start_time=0:round=up`,
      `tpad=stop_mode=clone:stop=${Math.ceil(endSeconds * FILL_FPS)}`,
      `trim=end=${endSeconds.toFixed(6)}`,
      `settb=1/${SECOND_US}`,
      'setpts=2*floor(PTS/2)+1[odd]',
    ].join(','),
    `[even][odd]interleave=2,select='if(mod(pts\\,2)\\,if(${isFirst}\\,1\\,${isDue})\\,1)'[${to}]`,
  ];
}
