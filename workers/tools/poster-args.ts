import { colorOf } from './color.ts';
import type { FfmpegFeatures } from './ffmpeg-args.ts';
import type { VideoStream } from './media-info.ts';
import { convertsColor } from './video-filters.ts';

/** The file that a transcode writes beside the stream. */
export const POSTER_NAME = 'poster.jpg';
const LONG_SIDE_PX = 1280;
/** Frames at the beginning of which every sixth is looked at, the first included. */
const FRAMES = 48;
const EVERY = 6;

/**
 * From frames that went through `videoFilters` to the poster. `thumbnail` picks the most typical one, which
 * is hardly ever a black or half-faded one.
 */
export function posterFilters(video: VideoStream, features: FfmpegFeatures): string {
  const { matrix } = colorOf(video, convertsColor(video, features));
  return [
    // Ends the branch: what comes after it costs nothing.
    `trim=end_frame=${FRAMES}`,
    `select=not(mod(n\\,${EVERY}))`,
    ...(matrix === null ? [] : [`setparams=colorspace=${matrix}`]),
    `scale=w='if(gte(iw,ih),min(iw,${LONG_SIDE_PX}),-2)':h='if(gte(iw,ih),-2,min(ih,${LONG_SIDE_PX}))'`,
    `thumbnail=n=${FRAMES / EVERY}`,
    // A JPEG's colours have no tag, and are read as those of BT.601.
    'scale=out_color_matrix=bt601:out_range=pc',
  ].join(',');
}

/** The output of the pictures `[poster]`. */
export const POSTER_OUTPUT = ['-map', '[poster]', '-frames:v', '1', '-q:v', '3', '-f', 'mjpeg', POSTER_NAME];
