import { Link } from '@tanstack/react-router';
import { CallSearch } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ListStates } from '../parts/list-states.tsx';
import { clock } from '../videos/clock.ts';
import { speakerName } from './speaker-name.ts';

/** What was found in what was said: each with who says it and when. @param callId null: in all calls */
export function CallHits({
  query,
  callId,
  onClear,
}: {
  readonly query: string;
  readonly callId: string | null;
  /** Clears the query. */
  readonly onClear: () => void;
}) {
  const { data, error, isPending, refetch } = useOperation(CallSearch, { query, callId });
  const edges = data?.searchCalls?.edges ?? [];
  if (edges.length === 0)
    return (
      <ListStates
        error={error}
        onRetry={() => void refetch()}
        count={isPending ? undefined : edges.length}
        noneMatches="Nobody said that"
        filter={{ 'Looked for': query }}
        onClear={onClear}
      >
        {null}
      </ListStates>
    );
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
