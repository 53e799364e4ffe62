import { WEB_VTT_HEAD, webVttTime } from '../../../text/web-vtt.ts';
import type { KeptFrame, Storyboard } from './frame-manifest.ts';

/**
 * The WebVTT file of a storyboard: for each time range of a kept frame a cue that names its picture and where
 * in it the frame is, so that some picture is shown at every time.
 * @param frames in ascending order of time, as their tiles are
 */
export function storyboardTrack(frames: readonly Pick<KeptFrame, 'spans'>[], storyboard: Storyboard): string {
  const { columns, rows, tileWidthPx, tileHeightPx, sprites } = storyboard;
  const ranges = frames.flatMap(({ spans }, index) => {
    const tile = index % (columns * rows);
    const [x, y] = [(tile % columns) * tileWidthPx, Math.floor(tile / columns) * tileHeightPx];
    const picture = `${sprites[Math.floor(index / (columns * rows))]}#xywh=${x},${y},${tileWidthPx},${tileHeightPx}`;
    return spans.map(([startMs, endMs]) => ({ startMs, endMs, picture }));
  });
  const cues = ranges
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ startMs, endMs, picture }, index, sorted) => {
      // Before the first sampled picture, and where a minute had enough frames, players would have nothing to
      // show.
      const from = webVttTime(index === 0 ? 0 : startMs);
      return `${from} --> ${webVttTime(sorted[index + 1]?.startMs ?? endMs)}\n${picture}\n\n`;
    });
  return WEB_VTT_HEAD + cues.join('');
}
