import { isRgb, toneMapFilters } from './color.ts';
import type { VideoStream } from './media-info.ts';

/** Screen recordings of 120 fps are streamed at half of it; what is searched is the original. */
export const MAX_PROXY_FPS = 60;

export interface PixelSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * The largest size of the same shape within the limits, never larger than the source, both sides even (4:2:0
 * video has no odd ones) and at least 2.
 * @param longSidePx limit for the longer side, whichever it is: portrait video gets the same room as
 *   landscape
 */
export function fitWithin(
  widthPx: number,
  heightPx: number,
  longSidePx: number,
  shortSidePx: number,
): PixelSize {
  const ratio = Math.min(
    1,
    longSidePx / Math.max(widthPx, heightPx),
    shortSidePx / Math.min(widthPx, heightPx),
  );
  return { widthPx: even(widthPx * ratio), heightPx: even(heightPx * ratio) };
}

/** Whether `videoFilters` turns the colours into BT.709; else they stay what they were. */
export function convertsColor(video: VideoStream, { zscale }: { readonly zscale: boolean }): boolean {
  return video.hdr ? zscale : isRgb(video);
}

/**
 * The filter chain from a decoded (and by ffmpeg already upright) frame to an 8-bit SDR frame of the given
 * size.
 * @param options.zscale whether the ffmpeg has that filter; without it HDR is converted by range only and
 *   looks pale
 */
export function videoFilters(
  video: VideoStream,
  size: PixelSize,
  options: { readonly zscale: boolean; readonly maxFps: number },
): string {
  const filters: string[] = [];
  if (video.fps !== null && video.fps > options.maxFps * 1.02) filters.push(`fps=${options.maxFps}`);
  // Sizes as numbers, since a stream may change its size on the way; square pixels.
  const scale = `scale=${size.widthPx}:${size.heightPx}`;
  if (video.hdr && options.zscale) {
    // Smaller first: mapping tones is by far the dearest step, and its price goes by the pixel.
    filters.push(scale, 'setsar=1', ...toneMapFilters(video), 'zscale=m=bt709:r=tv');
  } else {
    filters.push(`${scale}${isRgb(video) ? ':out_color_matrix=bt709' : ''}:out_range=tv`, 'setsar=1');
  }
  filters.push('format=yuv420p');
  return filters.join(',');
}

function even(px: number): number {
  return Math.max(2, 2 * Math.floor((px + 0.001) / 2));
}
