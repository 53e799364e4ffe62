import '../styles/videos.css';
import '../styles/calls.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { Call } from '../../src/client/index.ts';
import { useCalls } from '../../src/react/index.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Empty, ErrorNote, Skeleton } from '../parts/notes.tsx';
import { When } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from '../videos/clock.ts';
import { CallHits } from './call-hits.tsx';
import { CallState } from './call-state.tsx';
import { CallUpload } from './call-upload.tsx';

export function CallsPage() {
  usePageTitle('Calls');
  const { q = '' } = useSearch({ from: '/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const { calls, isReady, error, connection } = useUnlessPaused(useCalls());
  const mayWrite = useMay('VIDEOS_WRITE');
  return (
    <div className="stack">
      <header className="head">
        <h1>Calls</h1>
      </header>
      <div className="field-with-icon search-field">
        <Search aria-hidden="true" size={18} />
        <input
          type="search"
          data-find
          aria-label="What to look for in what was said"
          placeholder={'insurance  "two hundred"  contr*  -winter'}
          value={q}
          onChange={({ target }) =>
            void navigate({ search: { q: target.value || undefined }, replace: true })
          }
        />
      </div>
      {q.trim() !== '' && <CallHits query={q} callId={null} />}
      {mayWrite && q.trim() === '' && <CallUpload />}
      {error !== null && connection === 'ended' && <ErrorNote error={error} />}
      {!isReady && calls.length === 0 && error === null && <Skeleton rows={4} />}
      {isReady && calls.length === 0 && q.trim() === '' && (
        <Empty title="No calls yet">
          <p>Give a recording above; what was said in it is written down and analysed.</p>
        </Empty>
      )}
      {q.trim() === '' && calls.length > 0 && (
        <ul className="card call-list">
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </ul>
      )}
    </div>
  );
}

function CallRow({ call }: { readonly call: Call }) {
  const { uuid, title, status, durationMs, speakers, transcript, progress } = call;
  return (
    <li>
      <Link to="/calls/$callId" params={{ callId: uuid }} search={{}} className="call-title">
        {title}
      </Link>
      <CallState status={status} />
      <span className="num muted">{durationMs === null ? '–' : clock(durationMs)}</span>
      <span className="muted small call-facts">
        {transcript === null
          ? (progress?.stage ?? '')
          : `${transcript.provider}, ${transcript.hasText ? `${transcript.wordCount} words` : 'no words'}`}
        {speakers.length > 0 && `, ${speakers.join(', ')}`}
      </span>
      <span className="muted small">
        <When at={call.createdAt} />
      </span>
    </li>
  );
}
