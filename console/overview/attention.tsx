import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { JobSummary } from '../../src/client/index.ts';
import type { FailingSchedulesResult } from '../api/operations.gen.ts';
import { Skeleton } from '../parts/notes.tsx';
import { outcomeInWords } from '../triggers/outcomes.ts';
import type { ListedDefinitions } from './figures.tsx';

interface Matter {
  readonly key: string;
  readonly text: string;
  /** A schedule; a definition otherwise. */
  readonly scheduleLabel?: string;
}

type Schedules = NonNullable<FailingSchedulesResult['triggers']>['nodes'];

/**
 * What stands in the way of jobs: definitions without a worker, or paused, while jobs of theirs wait, and
 * schedules whose last run failed.
 */
export function Attention({
  summary,
  definitions,
  schedules = [],
}: {
  readonly summary: JobSummary | undefined;
  readonly definitions: ListedDefinitions | undefined;
  readonly schedules: Schedules | undefined;
}) {
  return (
    <section className="card" aria-labelledby="attention">
      <header className="card-head">
        <h2 id="attention">Needs attention</h2>
      </header>
      {summary === undefined || definitions === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Matters matters={[...mattersOf(summary, definitions), ...failedOf(schedules)]} />
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
      {matters.map(({ key, text, scheduleLabel }) => (
        <li key={key}>
          <TriangleAlert aria-hidden="true" size={16} />
          {scheduleLabel === undefined ? (
            <Link to="/definitions/$key" params={{ key }} search={{}}>
              {key}
            </Link>
          ) : (
            <Link to="/schedules" search={{ q: scheduleLabel }}>
              {scheduleLabel}
            </Link>
          )}
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

const FAILED: ReadonlySet<string | undefined> = new Set(['FAILED', 'DEAD_LETTER']);

function failedOf(schedules: Schedules): readonly Matter[] {
  return schedules.flatMap(({ id, label, runs: { nodes } }) => {
    const [last] = nodes;
    if (last === undefined) return [];
    const text = FAILED.has(last.job?.status)
      ? 'is a schedule whose last job failed'
      : `made no job: ${outcomeInWords(last.outcome)}`;
    return [{ key: id, scheduleLabel: label, text }];
  });
}
