import { Link } from '@tanstack/react-router';
import type { JobSummary } from '../../src/client/index.ts';
import { LongestWaiting, type LongestWaitingResult } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { WaitText } from '../job/wait-text.tsx';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';
import { When } from '../parts/when.tsx';

const MAX_DEFINITIONS = 8;
const MAX_JOBS = 6;

/** Since when the oldest due job of each definition waits for a worker, the longest wait first. */
function WaitsByDefinition({ summary }: { readonly summary: JobSummary | undefined }) {
  const waits = summary?.definitions
    .flatMap(({ definitionKey: key, oldestQueuedAt: since }) => (since === null ? [] : [{ key, since }]))
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))
    .slice(0, MAX_DEFINITIONS);
  if (waits === undefined || waits.length === 0) return null;
  return (
    <p className="card-body waits small">
      <span className="muted">Oldest due job of</span>
      {waits.map(({ key, since }) => (
        <span key={key} className="chip">
          <Link to="/jobs" search={{ definition: key, status: 'QUEUED' }}>
            {key}
          </Link>{' '}
          <When at={since} />
        </span>
      ))}
    </p>
  );
}

/**
 * Those that are due, and of the oldest others those whose time has come too: they wait for other jobs.
 */
function longestOf({ due, others }: LongestWaitingResult) {
  const nowMs = Date.now();
  const held = others?.nodes.filter(({ scheduledFor }) => Date.parse(scheduledFor) <= nowMs) ?? [];
  return [...(due?.nodes ?? []), ...held]
    .toSorted((a, b) => Date.parse(a.scheduledFor) - Date.parse(b.scheduledFor))
    .slice(0, MAX_JOBS);
}

/** The jobs whose time came longest ago, each with what it waits for in words. */
export function LongestWaitingCard({ summary }: { readonly summary: JobSummary | undefined }) {
  const { data, error, refetch } = useOperation(LongestWaiting, {}, { refreshMs: 5_000 });
  const jobs = data && longestOf(data);
  return (
    <section className="card" aria-labelledby="waiting">
      <header className="card-head">
        <h2 id="waiting">Waiting longest, and why</h2>
      </header>
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      {jobs?.length === 0 && <p className="card-body muted">No job that is due waits.</p>}
      <WaitsByDefinition summary={summary} />
      <ul className="overview-list">
        {jobs?.map(({ id, uuid, scheduledFor, definition, waitingFor }) => (
          <li key={id}>
            <Link to="/jobs/$jobId" params={{ jobId: uuid }} search={{}}>
              {definition.key} <span className="mono small">{uuid.slice(-8)}</span>
            </Link>
            <span className="muted small">
              due <When at={scheduledFor} />
            </span>
            <span className="grow">
              {waitingFor === null ? 'It is about to begin.' : <WaitText waitingFor={waitingFor} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
