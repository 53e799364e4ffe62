import type { VideoStream } from './media-info.ts';

/** The filter takes no smaller pictures. */
const MIN_SIDE_PX = 4;

/**
 * What stands first in a chain of filters for a video that may be interlaced, with its comma: pictures whose
 * decoder says that they are made of two fields become whole ones, at the same rate; others pass as they are.
 */
export function deinterlaceFilter({ interlaced, widthPx, heightPx }: VideoStream): string {
  if (!interlaced || Math.min(widthPx, heightPx) < MIN_SIDE_PX) return '';
  return 'bwdif=mode=send_frame:parity=auto:deint=interlaced,';
}
