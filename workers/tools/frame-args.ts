import { deinterlaceFilter } from './deinterlace.ts';
import { type FfmpegFeatures, filterLimits, frameMode, inputArgs, PREFIX } from './ffmpeg-args.ts';
import type { VideoStream } from './media-info.ts';
import { fitWithin, type PixelSize, videoFilters } from './video-filters.ts';

/** Long side of the pictures at most; what is smaller keeps its size. */
const MAX_LONG_SIDE_PX = 3840;
/** JPEG quality of ffmpeg, 2 (best) to 31: small letters stay sharp, at about half the size of the best. */
const JPEG_QUALITY = '3';
/** Wider cells than this many times the wanted rate are sieved in steps: see `lastOfEachSlot`. */
const SIEVE_FACTOR = 10;
const SECOND_US = 1_000_000;

/**
 * Size of the small gray pictures that are compared: of the same number of cells for each video, whatever its
 * shape.
 */
export const CELLS: PixelSize = { widthPx: 160, heightPx: 96 };

/** File descriptors that the pictures come from, in the order of `runProcess`'s pipes. */
const FRAME_PIPES = { times: 3, gray: 4, jpeg: 5 } as const;

export interface FramesJob {
  /** Absolute path of the source. */
  readonly inputPath: string;
  readonly formats: readonly string[];
  readonly video: VideoStream;
  /** Pictures a second at most. */
  readonly targetFps: number;
}

/**
 * Arguments that decode once and write each sampled picture three times: its time (a line of framecrc,
 * microseconds), a small gray one, and a JPEG, upright, in SDR and square pixels.
 */
export function frameArgs(job: FramesJob, features: FfmpegFeatures): readonly string[] {
  const size = frameSize(job.video);
  const graph = [
    `[0:${job.video.index}]${deinterlaceFilter(job.video)}settb=1/${SECOND_US}[in]`,
    ...lastOfEachSlot('in', 'sampled', job.targetFps),
    `[sampled]${pictureFilters(job.video, size, features)},split=2[jpeg][small]`,
    `[small]scale=${CELLS.widthPx}:${CELLS.heightPx}:flags=area,format=gray,split=2[gray][times]`,
  ].join(';');
  const each = frameMode(features, 'passthrough');
  const timeBase = ['-enc_time_base', `1:${SECOND_US}`];
  return [
    ...PREFIX,
    ...filterLimits(features.limits),
    ...inputArgs(job.inputPath, job.formats, features.limits),
    ...['-filter_complex', graph],
    ...['-map', '[times]', ...each, ...timeBase, '-c:v', 'rawvideo'],
    ...['-flush_packets', '1', '-f', 'framecrc', `pipe:${FRAME_PIPES.times}`],
    ...['-map', '[gray]', ...each, ...timeBase, '-c:v', 'rawvideo'],
    ...['-flush_packets', '1', '-f', 'rawvideo', `pipe:${FRAME_PIPES.gray}`],
    // One thread, no version in the file: the same source gives the same bytes on every machine.
    ...['-map', '[jpeg]', ...each, ...timeBase, '-c:v', 'mjpeg', '-threads', '1', '-q:v', JPEG_QUALITY],
    ...['-bitexact', '-flush_packets', '1', '-f', 'mjpeg', `pipe:${FRAME_PIPES.jpeg}`],
  ];
}

/** The size of a video's pictures: as displayed, unless that is very large. */
export function frameSize(video: VideoStream): PixelSize {
  const { displayWidthPx: widthPx, displayHeightPx: heightPx } = video;
  const isLarge = Math.max(widthPx, heightPx) > MAX_LONG_SIDE_PX;
  // JPEGs may have odd sizes; scaling by one pixel would only blur the letters. What converts HDR can't do
  // odd ones.
  if (!isLarge && !video.hdr) return { widthPx, heightPx };
  return fitWithin(widthPx, heightPx, MAX_LONG_SIDE_PX, MAX_LONG_SIDE_PX);
}

/**
 * Sieves pictures by their times: of those within the same 1 / `fps` seconds only the last passes, with its
 * own time. The last, since it is the one that may stand: in a recording of a screen, of variable frame rate,
 * nothing may follow for minutes. A filter can't look ahead, so each picture comes twice, with odd time
 * stamps one slot later than with even ones: by then it is known whether another of its slot has followed. No
 * picture is copied; those of one slot are held. A slot that could hold many is sieved in steps.
 */
export function lastOfEachSlot(from: string, to: string, fps: number): readonly string[] {
  const sieves = [fps];
  while ((sieves[0] as number) < SIEVE_FACTOR / 2) sieves.unshift((sieves[0] as number) * SIEVE_FACTOR);
  return sieves.flatMap((rate, step) => {
    const input = step === 0 ? from : `sieved${step}`;
    const output = step === sieves.length - 1 ? to : `sieved${step + 1}`;
    const delay = Math.ceil(SECOND_US / rate) + 1 + (Math.ceil(SECOND_US / rate) % 2);
    // Three registers hold the newest time of the latest slots.
    const register = (time: string) => `mod(floor((${time})*${rate}/${SECOND_US})\\,3)`;
    const own = `pts-${delay}`;
    return [
      `[${input}]split=2[now${step}][later${step}]`,
      `[now${step}]setpts=2*floor(PTS/2)[even${step}]`,
      `[later${step}]setpts=2*floor(PTS/2)+${delay}[odd${step}]`,
      `[even${step}][odd${step}]interleave=2,select='if(mod(pts\\,2)\\,eq(ld(${register(own)})\\,${own})\\,st(${register('pts')}\\,pts)*0)',setpts=PTS-${delay}[${output}]`,
    ];
  });
}

function pictureFilters(video: VideoStream, size: PixelSize, { zscale }: FfmpegFeatures): string {
  if (video.hdr) {
    const sdr = videoFilters(video, size, { zscale, maxFps: Number.POSITIVE_INFINITY });
    return `${sdr},scale=out_range=full,format=yuvj420p`;
  }
  return `scale=${size.widthPx}:${size.heightPx}:out_range=full,setsar=1,format=yuvj420p`;
}
