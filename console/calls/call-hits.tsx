import { Link } from '@tanstack/react-router';
import { CallSearch } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { Empty, ErrorNote, Skeleton } from '../parts/notes.tsx';
import { clock } from '../videos/clock.ts';
import { speakerName } from './speaker-name.ts';

/** What was found in what was said: each with who says it and when. @param callId null: in all calls */
export function CallHits({ query, callId }: { readonly query: string; readonly callId: string | null }) {
  const { data, error, isPending } = useOperation(CallSearch, { query, callId });
  const edges = data?.searchCalls?.edges ?? [];
  if (error !== null) return <ErrorNote error={error} />;
  if (isPending) return <Skeleton rows={3} />;
  if (edges.length === 0) return <Empty title="Nobody said that" />;
  return (
    <section className="card" aria-label="What was found">
      <ol className="turns">
        {edges.map(({ cursor, node, hit }) => (
          <li key={cursor}>
            <Link
              to="/calls/$callId"
              params={{ callId: node.uuid }}
              search={{ t: String(Math.floor(hit.startMs / 100) / 10) }}
            >
              <span className="num small muted">{clock(hit.startMs)}</span>
              <strong className="turn-speaker">
                {hit.speakerName ?? speakerName([], hit.speaker)}
                <span className="muted small">{node.title}</span>
              </strong>
              <span className="turn-text">{hit.text}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
