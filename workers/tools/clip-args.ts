import { deinterlaceFilter } from './deinterlace.ts';
import { encodeArgs } from './encode-args.ts';
import { type FfmpegFeatures, filterLimits, inputArgs, PREFIX } from './ffmpeg-args.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { fitWithin, MAX_PROXY_FPS, type PixelSize, videoFilters } from './video-filters.ts';

/** Long and short side of a clip at most: what is read on the original is to be read on the clip. */
const MAX_LONG_SIDE_PX = 3840;
const MAX_SHORT_SIDE_PX = 2160;

/** Ticks a second of a clip's times: those of every usual rate are whole. */
const TIME_BASE = 90_000;
/** A picture's time is given to the microsecond and may be rounded up. */
const FIRST_TOLERANCE_SECONDS = 0.0005;

/** Where to cut, seconds from the start of the file. */
export interface Cut {
  /** Where the decoder's output begins, at or before the first picture. */
  readonly seekSeconds: number;
  /** When the picture that is on screen at `startSeconds` is shown first. */
  readonly firstSeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Pictures a second where those of the source come irregularly; null leaves them where they are. */
  readonly constantFps: number | null;
}

export interface ClipJob {
  /** Absolute path of the source. */
  readonly inputPath: string;
  readonly info: MediaInfo;
  readonly video: VideoStream;
  readonly formats: readonly string[];
  readonly cut: Cut;
  /** Name of the file that is written into the working directory. */
  readonly outputName: string;
}

/** H.264 and AAC in an MP4 whose index stands in front; progress on stdout. */
export function clipArgs(job: ClipJob, features: FfmpegFeatures): readonly string[] {
  const { video, cut } = job;
  const lengthSeconds = cut.endSeconds - cut.startSeconds;
  const filters = [
    `${deinterlaceFilter(video)}${timeFilters(cut, lengthSeconds, features.fpsMode)}`,
    videoFilters(video, clipSize(video), { zscale: features.zscale, maxFps: MAX_PROXY_FPS }),
  ];
  return [
    ...PREFIX,
    ...filterLimits(features.limits),
    // Before the input: the decoder begins at the key frame before it and drops what comes too early, to the
    // very picture.
    ...['-ss', seconds(cut.seekSeconds)],
    ...inputArgs(job.inputPath, job.formats, features.limits),
    ...['-map', `0:${video.index}`],
    ...['-vf', filters.join(',')],
    ...encodeArgs(
      job,
      {
        crf: 21,
        audioBitRate: '128k',
        audioFilters: audioFilters(cut),
        frameMode: features.fpsMode ? 'passthrough' : 'vfr',
      },
      features,
    ),
    // The first two pictures may be nearer to each other than a picture lasts: in steps of whole pictures all
    // others would come late. An ffmpeg before 5.1 takes such steps, since it loses the length of the last
    // picture otherwise.
    ...(features.fpsMode
      ? ['-enc_time_base', `1:${TIME_BASE}`, '-video_track_timescale', String(TIME_BASE)]
      : []),
    ...['-t', seconds(lengthSeconds)],
    ...['-movflags', '+faststart', '-f', 'mp4'],
    ...['-progress', 'pipe:1', '-nostats'],
    job.outputName,
  ];
}

/** The size of a video's clips: the original's as displayed, both sides even. */
export function clipSize(video: VideoStream): PixelSize {
  return fitWithin(video.displayWidthPx, video.displayHeightPx, MAX_LONG_SIDE_PX, MAX_SHORT_SIDE_PX);
}

/**
 * Puts the picture that is on screen at the start to time 0, wherever within it the clip begins. Where
 * pictures come irregularly, as in recordings of screens, one may stand for minutes: there they are repeated,
 * so that it is seen for as long as it was, at the clip's end too.
 */
function timeFilters(cut: Cut, lengthSeconds: number, isExact: boolean): string {
  const { seekSeconds, firstSeconds, startSeconds, constantFps } = cut;
  // A format without an index is sought to a picture before, and what the decoder gives until then is dropped
  // here.
  const dropped = `trim=start=${seconds(Math.max(0, firstSeconds - seekSeconds - FIRST_TOLERANCE_SECONDS))}`;
  const lead = `${seconds(startSeconds - seekSeconds)}/TB`;
  if (constantFps === null) {
    const shifted = `setpts=max(PTS\\,${lead})-${lead}`;
    // A picture that begins where the clip ends may come a rounding before.
    const end = seconds(lengthSeconds - FIRST_TOLERANCE_SECONDS);
    return isExact ? `${dropped},settb=1/${TIME_BASE},${shifted},trim=end=${end}` : `${dropped},${shifted}`;
  }
  return [
    dropped,
    `setpts=PTS-${lead}`,
    `fps=fps=${constantFps}:start_time=0`,
    `tpad=stop_mode=clone:stop_duration=${seconds(lengthSeconds)}`,
  ].join(',');
}

function audioFilters({ seekSeconds, startSeconds }: Cut): string {
  const lead = seconds(startSeconds - seekSeconds);
  return `atrim=start=${lead},asetpts=PTS-${lead}/TB`;
}

function seconds(value: number): string {
  return value.toFixed(6);
}
