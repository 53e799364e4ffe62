import { useEffect, useRef } from 'react';
import type { VideoDetailResult } from '../api/operations.gen.ts';
import { clock } from './clock.ts';

type Segments = NonNullable<VideoDetailResult['video']>['segments']['nodes'];

/** What was read in the pictures, in step with the player. */
export function FoundTexts({
  segments,
  timeMs,
  onSeek,
  isReady,
}: {
  readonly segments: Segments | undefined;
  readonly timeMs: number;
  readonly onSeek: (ms: number) => void;
  readonly isReady: boolean;
}) {
  const place = useRef<HTMLOListElement>(null);
  const current = segments?.findLast(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs + 250)?.id;
  useEffect(() => {
    if (current === undefined || place.current === null) return;
    const item = place.current.querySelector<HTMLElement>('[aria-current=true]');
    // Only the list itself is moved: the page stays where its reader is.
    if (item !== null) place.current.scrollTop = item.offsetTop - place.current.clientHeight / 3;
  }, [current]);
  return (
    <section className="card" aria-labelledby="texts">
      <header className="card-head">
        <h2 id="texts">Found texts</h2>
        <span className="muted small num">{segments?.length ?? ''}</span>
      </header>
      {segments !== undefined && segments.length === 0 && (
        <p className="card-body muted">
          {isReady ? 'Nothing was read in its pictures.' : 'They are read once it is transcoded.'}
        </p>
      )}
      <ol ref={place} className="texts">
        {segments?.map(({ id, startMs, text, thumbnailUrl }) => (
          <li key={id}>
            <button type="button" aria-current={id === current} onClick={() => onSeek(startMs)}>
              <img src={thumbnailUrl} alt="" loading="lazy" />
              <span className="text-line">
                <span className="num small muted">{clock(startMs)}</span> {text}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
