import type { VideoStream } from './media-info.ts';
import { fitWithin, type PixelSize } from './video-filters.ts';

/** One rendition of a stream. */
export interface Rendition {
  /** In the names of its files; null of the best. */
  readonly name: string | null;
  readonly size: PixelSize;
  readonly audioBitRate: string;
}

/** Long and short side of the stream at most; larger sources are scaled down, smaller ones never up. */
const BEST = { longSidePx: 1920, shortSidePx: 1080 };
/** Room for the longer side of shapes wider than 16:9. */
const LOW = { longSidePx: 1120, shortSidePx: 480 };
/** Below this size of the best rendition a second one would save hardly anything. */
const MIN_BEST_SHORT_SIDE_PX = 600;

/** The renditions of a video, the best first: two where its size is worth it, else one. */
export function ladderOf({
  displayWidthPx,
  displayHeightPx,
}: Pick<VideoStream, 'displayWidthPx' | 'displayHeightPx'>): readonly [Rendition, ...Rendition[]] {
  const best = fitWithin(displayWidthPx, displayHeightPx, BEST.longSidePx, BEST.shortSidePx);
  const renditions: [Rendition, ...Rendition[]] = [{ name: null, size: best, audioBitRate: '128k' }];
  if (Math.min(best.widthPx, best.heightPx) > MIN_BEST_SHORT_SIDE_PX) {
    const low = fitWithin(displayWidthPx, displayHeightPx, LOW.longSidePx, LOW.shortSidePx);
    renditions.push({ name: '480p', size: low, audioBitRate: '96k' });
  }
  return renditions;
}
