import '../styles/videos.css';
import '../styles/calls.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Call } from '../../src/client/index.ts';
import { useCalls } from '../../src/react/index.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useKnownCount } from '../parts/use-known-count.ts';
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
  const { calls, isReady, error, connection, reopen } = useUnlessPaused(useCalls());
  const count = useKnownCount(calls.length, isReady, '');
  const mayWrite = useMay('VIDEOS_WRITE');
  return (
    <div className="stack">
      <header className="head">
        <h1>Calls</h1>
      </header>
      <SearchField
        label="What to look for in what was said"
        example={'insurance  "two hundred"  contr*  -winter'}
        value={q}
        onSearch={(text) => void navigate({ search: { q: text }, replace: true })}
      />
      {q.trim() !== '' && <CallHits query={q} callId={null} onClear={() => void navigate({ search: {} })} />}
      {mayWrite && q.trim() === '' && <CallUpload />}
      {q.trim() === '' && (
        <ListStates error={connection === 'ended' ? error : null} onRetry={reopen} count={count}>
          <Empty title="No calls yet">
            <p>Give a recording above; what was said in it is written down and analysed.</p>
            <Example
              mutation={`mutation { submitCall(input: { title: "A contract", recording: { url: "https://example.com/call.mp3" } }) { __typename } }`}
            />
          </Empty>
        </ListStates>
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
