import '../styles/videos.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Video } from '../../src/client/index.ts';
import { useMillrace, useVideo } from '../../src/react/index.ts';
import { DeleteVideo, VideoDetail } from '../api/operations.gen.ts';
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
import { FoundTexts } from './found-texts.tsx';
import { PipelineCard } from './pipeline-card.tsx';
import { Player } from './player.tsx';
import { Scrubber } from './scrubber.tsx';
import { VideoState } from './video-state.tsx';

export function VideoPage() {
  const { videoId } = useParams({ from: '/videos/$videoId' });
  const { t } = useSearch({ from: '/videos/$videoId' });
  const state = useVideo(videoId);
  const video = useUnlessPaused(state.video);
  const detail = useOperation(
    VideoDetail,
    { id: videoId },
    { refreshMs: video?.status === 'READY' ? false : 4_000 },
  );
  const place = useRef<HTMLVideoElement>(null);
  const [timeMs, setTimeMs] = useState(0);
  const [range, setRange] = useState<readonly [number, number] | null>(null);
  const mayWrite = useMay('VIDEOS_WRITE');
  usePageTitle(video?.title ?? 'Video');
  const seek = (ms: number): void => {
    if (place.current === null) return;
    place.current.currentTime = ms / 1_000;
    place.current.focus();
  };
  const step = (seconds: number): void => {
    if (place.current !== null) place.current.currentTime += seconds;
  };
  useKeys({
    ' ': () => void (place.current?.paused === false ? place.current.pause() : place.current?.play()),
    ArrowLeft: () => step(-5),
    ArrowRight: () => step(5),
  });
  if (video == null)
    return (
      <NoPage
        title="Video"
        isGone={video === null || state.error?.code === 'NOT_FOUND'}
        error={state.connection === 'ended' ? state.error : null}
        onRetry={state.reopen}
        list="/videos"
      >
        <p>It was deleted, with what was made of it, or its id is of another tenant.</p>
      </NoPage>
    );
  const { playlist, poster, original } = video.urls;
  const found = detail.data?.video;
  return (
    <div className="stack">
      <header className="head">
        <h1>
          {video.title} <VideoState status={video.status} />
        </h1>
        {original !== null && (
          <a className="button" href={original} download>
            <Download aria-hidden="true" size={15} /> Original
          </a>
        )}
        {mayWrite && <DeleteButton id={video.id} title={video.title} />}
      </header>
      <div className="columns video-columns">
        <div className="stack">
          {playlist === null ? (
            <div className="player-place">{video.error?.message ?? awaited(video)}</div>
          ) : (
            <Player
              place={place}
              playlist={playlist}
              poster={poster}
              title={video.title}
              startSeconds={t === undefined ? undefined : Number(t)}
              textTrack={found?.textTrack?.url}
              onTime={(seconds) => setTimeMs(seconds * 1_000)}
            />
          )}
          {playlist !== null && video.durationMs !== null && (
            <Scrubber
              durationMs={video.durationMs}
              timeMs={timeMs}
              storyboard={found?.storyboard?.url}
              marks={found?.segments.nodes ?? []}
              range={mayWrite ? range : null}
              onSeek={(ms) => {
                if (place.current !== null) place.current.currentTime = ms / 1_000;
              }}
            />
          )}
          {playlist !== null && mayWrite && (
            <ClipMaker
              of={{ videoId: video.id }}
              durationMs={video.durationMs}
              timeMs={timeMs}
              place={place}
              onRange={setRange}
            />
          )}
          <ClipList of={{ videoId: video.id }} />
          <PipelineCard video={video} jobs={found?.jobs ?? null} />
        </div>
        <FoundTexts
          segments={found?.segments.nodes}
          timeMs={timeMs}
          onSeek={seek}
          isReady={video.status === 'READY'}
        />
      </div>
    </div>
  );
}

function awaited({ status, progress }: Video): string {
  if (status !== 'AWAITING_UPLOAD') return 'It can be played as soon as its first pieces are made.';
  if (progress?.stage !== 'fetch') return 'Its file has not come yet.';
  const share = progress.percent === null ? '' : ` (${Math.floor(progress.percent)} %)`;
  return `Its file is being fetched: ${progress.message ?? 'it has just begun'}${share}.`;
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
      title="Delete this video?"
      verb="Delete the video"
      act={async () => done((await run(client, DeleteVideo, { input: { id } })).deleteVideo)}
      says="The video is deleted"
      onDone={() => void navigate({ to: '/videos', search: {} })}
    >
      <p>“{title}”, what was made of it, and its clips go for good.</p>
    </AskButton>
  );
}
