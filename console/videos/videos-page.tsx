import '../styles/videos.css';
import { Link } from '@tanstack/react-router';
import { Film } from 'lucide-react';
import type { Video } from '../../src/client/index.ts';
import { useVideos } from '../../src/react/index.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Empty, ErrorNote, Skeleton } from '../parts/notes.tsx';
import { When } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from './clock.ts';
import { UploadArea } from './upload-area.tsx';
import { VideoState } from './video-state.tsx';

export function VideosPage() {
  usePageTitle('Videos');
  const { videos, isReady, error, connection } = useUnlessPaused(useVideos());
  const mayWrite = useMay('VIDEOS_WRITE');
  return (
    <div className="stack">
      <header className="head">
        <h1>Videos</h1>
      </header>
      {mayWrite && <UploadArea />}
      {error !== null && connection === 'ended' && <ErrorNote error={error} />}
      {!isReady && videos.length === 0 && error === null && <Skeleton rows={4} />}
      {isReady && videos.length === 0 && (
        <Empty title="No videos yet">
          <p>Drop one above; it is transcoded, and the texts in its pictures are read.</p>
        </Empty>
      )}
      <ul className="video-grid">
        {videos.map((video) => (
          <VideoCard key={video.id} video={video} />
        ))}
      </ul>
    </div>
  );
}

function VideoCard({ video }: { readonly video: Video }) {
  const { uuid, title, urls, durationMs, pipeline, status } = video;
  const poster = urls.poster ?? video.progress?.preview?.url;
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
      {status !== 'READY' && status !== 'FAILED' && pipeline !== null && (
        <progress className="wide" max={100} value={pipeline.percent} aria-label={`Progress of ${title}`} />
      )}
    </li>
  );
}
