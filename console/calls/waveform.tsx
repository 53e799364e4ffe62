import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clock } from '../videos/clock.ts';

interface Waveform {
  readonly durationMs: number;
  /** 0 to 255, by channel. */
  readonly peaks: readonly (readonly number[])[];
}

const COLUMNS = 600;
const HEIGHT = 100;

/** What a call sounds like, channel by channel, and where its player is; a click or an arrow key moves it. */
export function WaveformView({
  url,
  timeMs,
  onSeek,
}: {
  readonly url: string;
  readonly timeMs: number;
  readonly onSeek: (ms: number) => void;
}) {
  // Signed addresses are given again: the file is the same.
  const file = url.replace(/\/files\/[^/]+/, '');
  const { data } = useQuery({
    queryKey: ['waveform', file],
    queryFn: async ({ signal }) => (await (await fetch(url, { signal })).json()) as Waveform,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const paths = useMemo(() => data?.peaks.map(pathOf) ?? [], [data]);
  if (data === undefined) return <div className="waveform" />;
  const { durationMs } = data;
  const share = durationMs === 0 ? 0 : Math.min(1, timeMs / durationMs);
  return (
    <div
      className="waveform"
      role="slider"
      tabIndex={0}
      aria-label="Position in the call"
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1_000)}
      aria-valuenow={Math.round(timeMs / 1_000)}
      aria-valuetext={clock(timeMs)}
      onClick={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect();
        onSeek(Math.max(0, Math.min(1, (clientX - left) / width)) * durationMs);
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -5_000, ArrowRight: 5_000 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        onSeek(Math.max(0, Math.min(durationMs, timeMs + by)));
      }}
    >
      {paths.map((path, channel) => (
        <svg
          // biome-ignore lint/suspicious/noArrayIndexKey: a channel is its place
          key={channel}
          viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} className="wave" />
          <rect x={0} y={0} width={COLUMNS * share} height={HEIGHT} className="wave-played" />
          <line x1={COLUMNS * share} x2={COLUMNS * share} y1={0} y2={HEIGHT} className="wave-at" />
        </svg>
      ))}
    </div>
  );
}

/** The loudest of what falls into a column, up and down from the middle. */
function pathOf(peaks: readonly number[]): string {
  const count = Math.min(COLUMNS, peaks.length);
  const width = COLUMNS / Math.max(1, count);
  return Array.from({ length: count }, (_, column) => {
    const [from, to] = [column, column + 1].map((at) => Math.floor((at * peaks.length) / count));
    const peak = Math.max(1, ...peaks.slice(from, to));
    const half = (peak / 255) * (HEIGHT / 2 - 2) + 0.5;
    const x = ((column + 0.5) * width).toFixed(1);
    return `M${x} ${(HEIGHT / 2 - half).toFixed(1)}V${(HEIGHT / 2 + half).toFixed(1)}`;
  }).join('');
}
