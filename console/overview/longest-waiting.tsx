import { Link } from '@tanstack/react-router';
import { LongestWaiting } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';
import { At, When } from '../parts/when.tsx';

/** The oldest queued jobs, each with what it waits for in words. */
export function LongestWaitingCard() {
  const { data, error, refetch } = useOperation(LongestWaiting, {}, { refreshMs: 5_000 });
  const jobs = data?.jobs?.nodes.toReversed();
  return (
    <section className="card" aria-labelledby="waiting">
      <header className="card-head">
        <h2 id="waiting">Waiting longest, and why</h2>
      </header>
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      {jobs?.length === 0 && <p className="card-body muted">No job waits.</p>}
      <ul className="overview-list">
        {jobs?.map(({ id, uuid, createdAt, definition, waitingFor }) => (
          <li key={id}>
            <Link to="/jobs/$jobId" params={{ jobId: uuid }} search={{}}>
              {definition.key} <span className="mono small">{uuid.slice(-8)}</span>
            </Link>
            <span className="muted small">
              <When at={createdAt} />
            </span>
            <span className="grow">
              {waitingFor?.message ?? 'It is about to begin.'}
              {waitingFor?.endsAt != null && (
                <span className="muted small">
                  {' '}
                  Until <At at={waitingFor.endsAt} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
