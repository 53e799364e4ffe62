import { Layers } from 'lucide-react';
import type { JobStatus, JobSummary } from '../../src/client/index.ts';
import { STATUSES } from '../parts/status.tsx';
import { duration } from '../parts/time.ts';
import type { JobsParams } from './job-params.ts';

const CARDS: readonly {
  status: JobStatus;
  count: 'queued' | 'running' | 'failed' | 'deadLetter' | 'succeeded' | 'canceled';
}[] = [
  { status: 'QUEUED', count: 'queued' },
  { status: 'RUNNING', count: 'running' },
  { status: 'FAILED', count: 'failed' },
  { status: 'DEAD_LETTER', count: 'deadLetter' },
  { status: 'SUCCEEDED', count: 'succeeded' },
  { status: 'CANCELED', count: 'canceled' },
];

/**
 * How many jobs stand where, from the summary alone: no list is ever counted for it. Each card narrows the
 * list to its state.
 */
export function StatusCards({
  params,
  summary,
  onChoose,
}: {
  /** Null on a page without a list, where no state is chosen. */
  readonly params: JobsParams | null;
  readonly summary: JobSummary | undefined;
  readonly onChoose: (status: JobStatus | undefined) => void;
}) {
  // Where a window holds too many, they are counted from a later time on.
  const windowMs =
    summary === undefined ? 0 : Date.parse(summary.countedAt) - Date.parse(summary.finishedAfter);
  const window = summary === undefined ? '' : `last ${duration(windowMs)}`;
  const one = params?.definition;
  const counts =
    one === undefined
      ? summary?.counts
      : summary?.definitions.find(({ definitionKey }) => definitionKey === one)?.counts;
  const all = CARDS.reduce((sum, { count }) => sum + (counts?.[count] ?? 0), 0);
  return (
    <nav className="status-cards" aria-label="States">
      <button
        type="button"
        aria-pressed={params === null ? undefined : params.status === undefined}
        onClick={() => onChoose(undefined)}
      >
        <span className="status-card-name">
          <Layers aria-hidden="true" size={15} /> All
        </span>
        <Count number={summary === undefined ? undefined : all} isComplete={summary?.isComplete} />
        <span className="status-card-hint">sum of these</span>
      </button>
      {CARDS.map(({ status, count }) => {
        const { word, tone, icon: Icon } = STATUSES[status];
        const number = counts?.[count];
        const isWindowed = status !== 'QUEUED' && status !== 'RUNNING';
        return (
          <button
            key={status}
            type="button"
            className={`tone-${number === 0 ? 'idle' : tone}`}
            aria-pressed={params === null ? undefined : params.status === status}
            onClick={() => onChoose(params?.status === status ? undefined : status)}
          >
            <span className="status-card-name">
              <Icon aria-hidden="true" size={15} /> {word}
            </span>
            <Count
              number={summary === undefined ? undefined : (number ?? 0)}
              isComplete={summary?.isComplete}
            />
            <span className="status-card-hint">{isWindowed ? window : 'now'}</span>
          </button>
        );
      })}
    </nav>
  );
}

/** A count; dots while it is not known, and a sign where there may be more. */
function Count({
  number,
  isComplete,
}: {
  readonly number: number | undefined;
  readonly isComplete: boolean | undefined;
}) {
  return (
    <span className="status-card-count">
      {isComplete === false && '≥ '}
      {number === undefined ? '…' : number.toLocaleString('en')}
    </span>
  );
}
