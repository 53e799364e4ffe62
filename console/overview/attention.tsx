import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { JobSummary } from '../../src/client/index.ts';
import { Skeleton } from '../parts/notes.tsx';
import type { ListedDefinitions } from './figures.tsx';

interface Matter {
  readonly key: string;
  readonly text: string;
}

/** What stands in the way of jobs: definitions without a worker, or paused, while jobs of theirs wait. */
export function Attention({
  summary,
  definitions,
}: {
  readonly summary: JobSummary | undefined;
  readonly definitions: ListedDefinitions | undefined;
}) {
  return (
    <section className="card" aria-labelledby="attention">
      <header className="card-head">
        <h2 id="attention">Needs attention</h2>
      </header>
      {summary === undefined || definitions === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Matters matters={mattersOf(summary, definitions)} />
      )}
    </section>
  );
}

function Matters({ matters }: { readonly matters: readonly Matter[] }) {
  if (matters.length === 0)
    return (
      <p className="card-body row all-well">
        <CircleCheck aria-hidden="true" size={18} /> Nothing stands in the way of any job.
      </p>
    );
  return (
    <ul className="overview-list">
      {matters.map(({ key, text }) => (
        <li key={key}>
          <TriangleAlert aria-hidden="true" size={16} />
          <Link to="/definitions/$key" params={{ key }} search={{}}>
            {key}
          </Link>
          <span className="muted">{text}</span>
        </li>
      ))}
    </ul>
  );
}

function mattersOf(summary: JobSummary, definitions: ListedDefinitions): readonly Matter[] {
  const queued = new Map(
    summary.definitions.map(({ definitionKey, counts }) => [definitionKey, counts.queued]),
  );
  return definitions.flatMap(({ key, isActive, isPaused, workerCount }) => {
    const count = queued.get(key) ?? 0;
    if (count === 0) return [];
    const jobs = `${count.toLocaleString('en')} ${count === 1 ? 'job waits' : 'jobs wait'}`;
    if (!isActive) return [{ key, text: `is inactive while ${jobs}` }];
    if (isPaused) return [{ key, text: `is paused while ${jobs}` }];
    return workerCount === 0 ? [{ key, text: `has no worker while ${jobs}: npx millrace worker` }] : [];
  });
}
