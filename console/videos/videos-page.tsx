import '../styles/videos.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Film } from 'lucide-react';
import type { Video, VideoStatus } from '../../src/client/index.ts';
import { useVideos } from '../../src/react/index.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Example } from '../parts/example.tsx';
import { FindField } from '../parts/find-field.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { useKnownCount } from '../parts/use-known-count.ts';
import { When } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from './clock.ts';
import { UploadArea } from './upload-area.tsx';
import { VIDEO_STATES, VideoState } from './video-state.tsx';

export function VideosPage() {
  usePageTitle('Videos');
  const { q = '', state } = useSearch({ from: '/videos' });
  const navigate = useNavigate({ from: '/videos' });
  const statuses = state === undefined ? {} : { statuses: [state as VideoStatus] };
  const live = useUnlessPaused(useVideos(statuses));
  const { isReady, isComplete, error, connection } = live;
  const videos = live.videos.filter(({ title }) => title.toLowerCase().includes(q.trim().toLowerCase()));
  const count = useKnownCount(videos.length, isReady, state ?? '');
  const mayWrite = useMay('VIDEOS_WRITE');
  return (
    <div className="stack">
      <header className="head">
        <h1>Videos</h1>
        <FindField
          label="Find a video"
          value={q}
          onFind={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
        />
        <select
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, state: target.value || undefined }) })
          }
        >
          <option value="">All states</option>
          {Object.entries(VIDEO_STATES).map(([status, { word }]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </header>
      {mayWrite && <UploadArea />}
      <ListStates
        error={connection === 'ended' ? error : null}
        onRetry={live.reopen}
        count={count}
        noneMatches="No video matches"
        filter={{ Find: q, State: state && VIDEO_STATES[state as VideoStatus].word }}
        onClear={() => void navigate({ search: {} })}
      >
        <Empty title="No videos yet">
          <p>Drop one above; it is transcoded, and the texts in its pictures are read.</p>
          <Example
            mutation={`mutation { createVideo(input: { title: "A mill", fileName: "mill.mp4" }) { __typename ... on CreateVideoPayload { upload { url } } } }`}
            program={`await client.uploadVideo(file, { title: 'A mill' });`}
          />
        </Empty>
      </ListStates>
      {!isComplete && <p className="muted small">The newest {live.videos.length} are looked through.</p>}
      <ul className="video-grid">
        {videos.map((video) => (
          <VideoCard key={video.id} video={video} />
        ))}
      </ul>
    </div>
  );
}

function VideoCard({ video }: { readonly video: Video }) {
  const { uuid, title, urls, durationMs, pipeline, progress, status } = video;
  const percent = pipeline?.percent ?? progress?.percent;
  const poster = urls.poster ?? progress?.preview?.url;
  return (
    <li className="card video-card">
      <Link to="/videos/$videoId" params={{ videoId: uuid }} search={{}}>
        <span className="poster">
          {poster == null ? (
            <Film aria-hidden="true" size={28} />
          ) : (
            <img src={poster} alt="" loading="lazy" />
          )}
          {durationMs !== null && <span className="poster-time num">{clock(durationMs)}</span>}
        </span>
        <span className="video-title">{title}</span>
      </Link>
      <p className="row small muted">
        <VideoState status={status} /> <span className="grow" /> <When at={video.createdAt} />
      </p>
      {status !== 'READY' && status !== 'FAILED' && percent != null && (
        <progress className="wide" max={100} value={percent} aria-label={`Progress of ${title}`} />
      )}
    </li>
  );
}
