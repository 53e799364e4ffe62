import { Repeat, Scissors } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { useAct } from '../api/use-act.ts';
import { useKeys } from '../frame/keys.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { clock } from '../videos/clock.ts';
import type { ClipSource } from './clip-list.tsx';

/** Marks where a clip begins and ends, plays that part before the clip exists, and asks for it. */
export function ClipMaker({
  of,
  durationMs,
  timeMs,
  place,
  onRange,
}: {
  readonly of: ClipSource;
  readonly durationMs: number | null;
  readonly timeMs: number;
  readonly place: RefObject<HTMLMediaElement | null>;
  /** Hears which part is marked, once somebody has marked one. */
  readonly onRange?: (range: readonly [number, number]) => void;
}) {
  const client = useMillrace();
  const [[startMs, endMs], setMarked] = useState<readonly [number, number]>([
    0,
    Math.min(5_000, durationMs ?? 5_000),
  ]);
  const [isLooping, setLooping] = useState(false);
  const ask = useAct(async () => client.requestClip({ ...of, startMs, endMs, paddingMs: 0 }), {
    says: 'The clip is asked for',
  });
  const setRange = (range: readonly [number, number]): void => {
    setMarked(range);
    onRange?.(range);
  };
  const markStart = (ms: number): void => setRange([ms, Math.max(endMs, ms + 500)]);
  const markEnd = (ms: number): void => setRange([Math.min(startMs, Math.max(0, ms - 500)), ms]);
  useKeys({ i: () => markStart(Math.round(timeMs)), o: () => markEnd(Math.round(timeMs)) });
  useEffect(() => {
    const video = place.current;
    if (!isLooping || video === null) return;
    if (timeMs < startMs - 250 || timeMs >= endMs) video.currentTime = startMs / 1_000;
  }, [isLooping, timeMs, startMs, endMs, place]);
  const loop = (): void => {
    const video = place.current;
    if (video === null) return;
    setLooping(!isLooping);
    if (isLooping) {
      video.pause();
      return;
    }
    video.currentTime = startMs / 1_000;
    void video.play();
  };
  const isRange = endMs > startMs;
  return (
    <section className="card clip-maker" aria-label="Make a clip">
      <div className="row">
        <TimeField
          label="From (key i)"
          ms={startMs}
          onChange={markStart}
          onMark={() => markStart(Math.round(timeMs))}
        />
        <TimeField
          label="To (key o)"
          ms={endMs}
          onChange={markEnd}
          onMark={() => markEnd(Math.round(timeMs))}
        />
        <span className="muted num grow">{isRange ? clock(endMs - startMs, true) : 'it has no length'}</span>
        <span className="row clip-acts">
          <button
            type="button"
            className="button"
            aria-pressed={isLooping}
            disabled={!isRange}
            onClick={loop}
          >
            <Repeat aria-hidden="true" size={15} /> {isLooping ? 'Stop' : 'Preview'}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={!isRange || ask.isPending}
            onClick={() => ask.mutate(undefined)}
          >
            <Scissors aria-hidden="true" size={15} /> Make the clip
          </button>
        </span>
      </div>
      {ask.error !== null && <ErrorNote error={ask.error} />}
    </section>
  );
}

function TimeField({
  label,
  ms,
  onChange,
  onMark,
}: {
  readonly label: string;
  readonly ms: number;
  readonly onChange: (ms: number) => void;
  readonly onMark: () => void;
}) {
  return (
    <div className="time-field">
      <label className="field">
        {label}
        <input
          type="number"
          min={0}
          step={0.1}
          value={(ms / 1_000).toFixed(1)}
          onChange={({ target }) => onChange(Math.max(0, Math.round(Number(target.value) * 1_000)))}
        />
      </label>
      <button
        type="button"
        className="button small"
        onClick={onMark}
        aria-label={`Here: take the time of the player as ${label}`}
      >
        Here
      </button>
    </div>
  );
}
