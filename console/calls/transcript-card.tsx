import { useEffect, useRef, useState } from 'react';
import { type CallDetailResult, CallTurns } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { clock } from '../videos/clock.ts';
import { speakerName } from './speaker-name.ts';

type Transcript = NonNullable<NonNullable<CallDetailResult['call']>['transcript']>;

const PART = 200;
const REASONS: Readonly<Record<string, string>> = {
  silent: 'Nobody is to be heard in it.',
  no_provider: 'Nothing here recognises words: these are the times in which somebody speaks.',
  nothing_recognised: 'No words were recognised.',
};

/** Who says what and when, in step with the player. */
export function TranscriptCard({
  callId,
  speakers,
  transcript,
  timeMs,
  onSeek,
}: {
  readonly callId: string;
  readonly speakers: readonly string[];
  readonly transcript: Transcript | null | undefined;
  readonly timeMs: number;
  readonly onSeek: (ms: number) => void;
}) {
  const [parts, setParts] = useState(1);
  const place = useRef<HTMLOListElement>(null);
  const second = Math.floor(timeMs / 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who speaks is looked for as time goes on
  useEffect(() => {
    const item = place.current?.querySelector<HTMLElement>('[aria-current=true]');
    // Only the list itself is moved: the page stays where its reader is.
    if (item != null && place.current !== null)
      place.current.scrollTop = item.offsetTop - place.current.clientHeight / 3;
  }, [second]);
  const { turnCount = 0, provider, isDraft, emptyReason } = transcript ?? {};
  return (
    <section className="card" aria-labelledby="transcript">
      <header className="card-head">
        <h2 id="transcript">Transcript</h2>
        {isDraft === true && <Badge tone="warn">draft: check its words</Badge>}
        <span className="muted small">{provider}</span>
      </header>
      {transcript == null && <p className="card-body muted">It is there once the call is transcribed.</p>}
      {emptyReason != null && <p className="card-body muted">{REASONS[emptyReason] ?? emptyReason}</p>}
      <ol ref={place} className="turns follow" hidden={turnCount === 0}>
        {Array.from({ length: Math.min(parts, Math.ceil(turnCount / PART)) }, (_, part) => (
          <Turns
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            key={part}
            callId={callId}
            from={part * PART}
            speakers={speakers}
            timeMs={timeMs}
            onSeek={onSeek}
          />
        ))}
      </ol>
      {turnCount > parts * PART && (
        <div className="more">
          <button type="button" className="button" onClick={() => setParts(parts + 1)}>
            More
          </button>
        </div>
      )}
    </section>
  );
}

function Turns({
  callId,
  from,
  speakers,
  timeMs,
  onSeek,
}: {
  readonly callId: string;
  readonly from: number;
  readonly speakers: readonly string[];
  readonly timeMs: number;
  readonly onSeek: (ms: number) => void;
}) {
  const { data, error } = useOperation(CallTurns, { id: callId, from, count: PART });
  if (error !== null)
    return (
      <li>
        <ErrorNote error={error} />
      </li>
    );
  const turns = data?.call?.transcript?.turns;
  if (turns === undefined)
    return (
      <li>
        <Skeleton rows={3} />
      </li>
    );
  return turns.map(({ position, speaker, startMs, endMs, text }) => (
    <li key={position}>
      <button
        type="button"
        aria-current={startMs <= timeMs && timeMs < endMs + 250}
        className={`speaker-${speaker % 4}`}
        onClick={() => onSeek(startMs)}
      >
        <span className="num small muted">{clock(startMs)}</span>
        <strong className="turn-speaker">{speakerName(speakers, speaker)}</strong>
        <span className="turn-text">
          {text === '' ? `speaks for ${((endMs - startMs) / 1_000).toFixed(1)} s` : text}
        </span>
      </button>
    </li>
  ));
}
