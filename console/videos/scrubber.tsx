import { useState } from 'react';
import { clock } from './clock.ts';
import { useStoryboard } from './storyboard.ts';

interface Mark {
  readonly id: string;
  readonly startMs: number;
  readonly text: string;
}

/**
 * A bar of the whole video: where it is, where texts were found, and under the pointer or the keys the
 * picture of that moment.
 */
export function Scrubber({
  durationMs,
  timeMs,
  storyboard,
  marks,
  range,
  onSeek,
}: {
  readonly durationMs: number;
  readonly timeMs: number;
  readonly storyboard: string | undefined;
  readonly marks: readonly Mark[];
  /** The part that is about to be a clip. */
  readonly range: readonly [number, number] | null;
  readonly onSeek: (ms: number) => void;
}) {
  const tiles = useStoryboard(storyboard);
  const [hoverMs, setHoverMs] = useState<number | null>(null);
  const share = (ms: number): string => `${(100 * Math.min(durationMs, Math.max(0, ms))) / durationMs}%`;
  const tile =
    hoverMs === null ? undefined : tiles.find(({ startMs, endMs }) => startMs <= hoverMs && hoverMs < endMs);
  return (
    <div className="scrubber">
      {hoverMs !== null && (
        <div className="scrubber-preview" style={{ left: `clamp(82px, ${share(hoverMs)}, 100% - 82px)` }}>
          {tile !== undefined && (
            <span
              className="scrubber-picture"
              data-at={tile.startMs}
              style={{
                width: tile.width,
                height: tile.height,
                backgroundImage: `url("${tile.url}")`,
                backgroundPosition: `-${tile.x}px -${tile.y}px`,
              }}
            />
          )}
          <span className="num small">{clock(hoverMs)}</span>
        </div>
      )}
      <div className="scrubber-track" aria-hidden="true">
        <i className="scrubber-done" style={{ width: share(timeMs) }} />
        {range !== null && (
          <i
            className="scrubber-range"
            style={{ left: share(range[0]), width: share(range[1] - range[0]) }}
          />
        )}
        {marks.map(({ id, startMs, text }) => (
          <i key={id} className="scrubber-mark" style={{ left: share(startMs) }} title={text} />
        ))}
      </div>
      <input
        type="range"
        aria-label="Place in the video"
        aria-valuetext={clock(timeMs)}
        min={0}
        max={durationMs}
        step={100}
        value={Math.min(timeMs, durationMs)}
        onChange={({ target }) => {
          const ms = Number(target.value);
          setHoverMs(ms);
          onSeek(ms);
        }}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setHoverMs(Math.round((durationMs * Math.min(width, Math.max(0, clientX - left))) / width));
        }}
        onPointerLeave={() => setHoverMs(null)}
        onBlur={() => setHoverMs(null)}
      />
    </div>
  );
}
