import '../styles/videos.css';
import '../styles/calls.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCall, useMillrace } from '../../src/react/index.ts';
import { CallDetail, DeleteCall } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useOperation } from '../api/use-operation.ts';
import { ClipList } from '../clips/clip-list.tsx';
import { ClipMaker } from '../clips/clip-maker.tsx';
import { useKeys } from '../frame/keys.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { AskButton } from '../parts/ask-button.tsx';
import { NoPage } from '../parts/no-page.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from '../videos/clock.ts';
import { AnalysisCard } from './analysis-card.tsx';
import { CallState } from './call-state.tsx';
import { FactsCard } from './facts-card.tsx';
import { StagesCard } from './stages-card.tsx';
import { TranscriptCard } from './transcript-card.tsx';
import { WaveformView } from './waveform.tsx';

export function CallPage() {
  const { callId } = useParams({ from: '/calls/$callId' });
  const { t } = useSearch({ from: '/calls/$callId' });
  const state = useCall(callId);
  const call = useUnlessPaused(state.call);
  const isOver = call?.status === 'READY' || call?.status === 'FAILED';
  const detail = useOperation(CallDetail, { id: callId }, { refreshMs: isOver ? false : 2_000 });
  const { refetch } = detail;
  const version = call?.version;
  // What a stage has made is there with its end, and after the last one nobody asks any more.
  useEffect(() => {
    if (version !== undefined) void refetch();
  }, [version, refetch]);
  const place = useRef<HTMLAudioElement>(null);
  const [timeMs, setTimeMs] = useState(0);
  const mayWrite = useMay('VIDEOS_WRITE');
  usePageTitle(call?.title ?? 'Call');
  const seek = (ms: number): void => {
    if (place.current === null) return;
    place.current.currentTime = ms / 1_000;
    setTimeMs(ms);
  };
  useKeys({
    ' ': () => void (place.current?.paused === false ? place.current.pause() : place.current?.play()),
    ArrowLeft: () => seek(Math.max(0, timeMs - 5_000)),
    ArrowRight: () => seek(timeMs + 5_000),
  });
  if (call == null)
    return (
      <NoPage
        title="Call"
        isGone={call === null || state.error?.code === 'NOT_FOUND'}
        error={state.connection === 'ended' ? state.error : null}
        onRetry={state.reopen}
        list="/calls"
      >
        <p>It was deleted, with its transcript and its clips, or its id is of another tenant.</p>
      </NoPage>
    );
  const found = detail.data?.call;
  const fileOf = (kind: string) => found?.artifacts.find((each) => each.kind === kind)?.url;
  const [sound, waveform] = [fileOf('call_audio'), fileOf('call_waveform')];
  return (
    <div className="stack">
      <header className="head">
        <h1>
          {call.title} <CallState status={call.status} />
        </h1>
        <span className="muted num">{call.durationMs !== null && clock(call.durationMs)}</span>
        {mayWrite && <DeleteButton id={call.id} title={call.title} />}
      </header>
      {call.error !== null && (
        <p className="note bad" role="alert">
          {call.error.type}: {call.error.message}
        </p>
      )}
      <div className="columns video-columns">
        <div className="stack">
          <section className="card call-player" aria-label="Player">
            {waveform !== undefined && <WaveformView url={waveform} timeMs={timeMs} onSeek={seek} />}
            {sound === undefined ? (
              <p className="muted">It can be played as soon as its sound is taken out.</p>
            ) : (
              <Sound
                url={sound}
                title={call.title}
                startSeconds={t === undefined ? undefined : Number(t)}
                place={place}
                onTime={(seconds) => setTimeMs(seconds * 1_000)}
              />
            )}
          </section>
          {sound !== undefined && mayWrite && (
            <ClipMaker of={{ callId: call.id }} durationMs={call.durationMs} timeMs={timeMs} place={place} />
          )}
          <ClipList of={{ callId: call.id }} />
          <AnalysisCard analysis={found?.analysis} speakers={call.speakers} onSeek={seek} />
          <StagesCard stages={found?.stages} />
          <FactsCard detail={found} />
        </div>
        <TranscriptCard
          callId={callId}
          speakers={call.speakers}
          transcript={found?.transcript}
          timeMs={timeMs}
          onSeek={seek}
        />
      </div>
    </div>
  );
}

function Sound({
  url,
  title,
  startSeconds,
  place,
  onTime,
}: {
  readonly url: string;
  readonly title: string;
  readonly startSeconds: number | undefined;
  readonly place: React.RefObject<HTMLAudioElement | null>;
  readonly onTime: (seconds: number) => void;
}) {
  // Signed addresses are given again while they are still good: what plays is not begun again for that.
  const file = url.replace(/\/files\/[^/]+/, '');
  const first = useRef({ file, url });
  if (first.current.file !== file) first.current = { file, url };
  return (
    // biome-ignore lint/a11y/useMediaCaption: its transcript stands beside it
    <audio
      ref={place}
      className="wide"
      src={first.current.url}
      controls
      preload="metadata"
      aria-label={title}
      onLoadedMetadata={({ currentTarget }) => {
        if (startSeconds !== undefined) currentTarget.currentTime = startSeconds;
      }}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
      onSeeked={({ currentTarget }) => onTime(currentTarget.currentTime)}
    />
  );
}

function DeleteButton({ id, title }: { readonly id: string; readonly title: string }) {
  const client = useMillrace();
  const navigate = useNavigate();
  return (
    <AskButton
      face={
        <>
          <Trash2 aria-hidden="true" size={15} /> Delete
        </>
      }
      title="Delete this call?"
      verb="Delete the call"
      act={async () => done((await run(client, DeleteCall, { input: { id } })).deleteCall)}
      says="The call is deleted"
      onDone={() => void navigate({ to: '/calls', search: {} })}
    >
      <p>“{title}”, its transcript, its analysis and its clips go for good.</p>
    </AskButton>
  );
}
